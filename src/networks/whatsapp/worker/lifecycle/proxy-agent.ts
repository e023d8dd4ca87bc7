import type { Agent, AgentOptions } from 'node:https';
import { createSecureContext, getCACertificates } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/**
 * An agent that always connects through a proxy. `address` is `socks5://…` or `http://…`; `ca` (PEM) is trusted in addition to Node's own. Throws
 * TypeError for any other address.
 */
export function createProxyAgent(address: string, ca: string | null): Agent {
  // These options apply to the TLS connection that is made through the proxy.
  const options: AgentOptions = ca === null ? {} : { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) };
  const { protocol } = new URL(address);
  switch (protocol) {
    case 'socks5:':
      // The proxy resolves host names, so that this machine's DNS is never asked about the network's hosts.
      return asAgent(new SocksProxyAgent(address.replace(/^socks5:/, 'socks5h:'), options));
    case 'http:':
      return asAgent(httpAgent(address, options));
    default:
      throw new TypeError('a proxy must be socks5:// or http://');
  }
}

function httpAgent(address: string, options: AgentOptions): HttpsProxyAgent<string> {
  const agent = new HttpsProxyAgent(address);
  // The constructor's options apply only to the connection to the proxy; these apply to the one made through it.
  Object.assign(agent.options, options);
  return agent;
}

/** These agents connect for both http and https but are declared for http only. */
function asAgent(agent: SocksProxyAgent | HttpsProxyAgent<string>): Agent {
  return agent as unknown as Agent;
}
