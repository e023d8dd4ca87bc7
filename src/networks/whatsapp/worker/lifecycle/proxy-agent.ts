import type { Agent, AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { systemClock } from '../../../../core/index.ts';

/** How long an HTTP proxy may take to answer, in milliseconds; as long as the library's own limit for a SOCKS proxy. */
const answerMs = 30_000;

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
  const agent = new BoundedHttpsProxyAgent(address);
  // The constructor's options apply only to the connection to the proxy; these apply to the one made through it.
  Object.assign(agent.options, options);
  return agent;
}

/** Closes the socket of a proxy that does not answer. The library would keep it for as long as the proxy does, even when its caller has left. */
class BoundedHttpsProxyAgent extends HttpsProxyAgent<string> {
  override async connect(...given: Parameters<HttpsProxyAgent<string>['connect']>): Promise<Socket> {
    const late = new AbortController();
    const timer = systemClock.after(answerMs, () => late.abort());
    // Read before the call returns, so each socket has its own.
    Object.assign(this.connectOpts, { signal: late.signal });
    try {
      return await super.connect(...given);
    } finally {
      timer.cancel();
    }
  }
}

/** These agents connect for both http and https but are declared for http only. */
function asAgent(agent: SocksProxyAgent | HttpsProxyAgent<string>): Agent {
  return agent as unknown as Agent;
}
