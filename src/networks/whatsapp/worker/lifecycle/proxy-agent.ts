import type { Agent, AgentOptions } from 'node:https';
import { createSecureContext, getCACertificates } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/**
 * Connects through a proxy, and never without it; `address` is `socks5://…` or `http://…`, and `ca` (PEM) is trusted besides Node's own. Throws
 * TypeError for any other address.
 */
export function createProxyAgent(address: string, ca: string | null): Agent {
  // Options of an agent reach the TLS connection that is made through the proxy.
  const options: AgentOptions = ca === null ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) };
  const { protocol } = new URL(address);
  switch (protocol) {
    case 'socks5:':
      // The proxy looks up names: those of the network must not be asked for from here.
      return asAgent(new SocksProxyAgent(address.replace(/^socks5:/, 'socks5h:'), options));
    case 'http:':
      return asAgent(httpAgent(address, options));
    default:
      throw new TypeError('a proxy must be socks5:// or http://');
  }
}

function httpAgent(address: string, options: AgentOptions): HttpsProxyAgent<string> {
  const agent = new HttpsProxyAgent(address);
  // It takes its options for the connection to the proxy only; these are for the one that is made through it.
  Object.assign(agent.options, options);
  return agent;
}

/** The libraries' agents connect for http and https alike, and are declared as those for http. */
function asAgent(agent: SocksProxyAgent | HttpsProxyAgent<string>): Agent {
  return agent as unknown as Agent;
}
