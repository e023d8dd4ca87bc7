import { BlockList, isIP } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Names what a connection's address counts for: its network; null for a trusted proxy. */
export function createOriginOf(trustProxy: readonly string[]): (address: string) => string | null {
  const trusted = new BlockList();
  for (const entry of trustProxy) {
    const [address = '', prefix] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    // A client that has gone already has no address.
    if (isIP(address) === 0) return '';
    if (trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return null;
    return networkOf(address);
  };
}

/** What one client usually has: the IPv4 address, or the /64 network of IPv6. A text that is no address stays as it is. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  // Turns an IPv4 address written as IPv6 into itself.
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : parsed.parts.slice(0, 4).join(':');
}

const withPort = /(?<=^|[,\s])(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)(?=$|[,\s])/gi;

/** Hook: some proxies name a client with its port (`203.0.113.9:50000`, `[2001:db8::9]:50000`), another one for every connection. */
export const forgetPorts: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  const forwardedFor = headers['x-forwarded-for'];
  if (typeof forwardedFor === 'string') headers['x-forwarded-for'] = forwardedFor.replace(withPort, '$1$2');
  done();
};
