import { Agent } from 'node:https';
import { createSecureContext, getCACertificates } from 'node:tls';

/**
 * An agent that trusts this certificate authority (PEM) in addition to Node's own. All connections share one, because reading the authorities for
 * each costs more than the rest of connecting.
 */
export function createTrustingAgent(ca: string): Agent {
  return new Agent({ secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) });
}
