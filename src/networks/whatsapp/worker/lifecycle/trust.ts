import { Agent } from 'node:https';
import { createSecureContext, getCACertificates } from 'node:tls';

/** Connects with this authority (PEM) trusted in addition to Node's own. One for all connections: reading the authorities anew for each costs more than the rest. */
export function createTrustingAgent(ca: string): Agent {
  return new Agent({ secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) });
}
