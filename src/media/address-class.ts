import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

// All global unicast that IANA has given out lies here (RFC 4291 §2.4); loopback, IPv4-compatible, site-local and the like lie outside.
const globalUnicast = ipaddr.parseCIDR('2000::/3');
// NAT64 with the well-known prefix stands for the IPv4 address in its last 32 bits (RFC 6052), and DNS64 networks answer with it for public names.
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');
// Looks public, but answers only inside an Azure machine, with that machine's own settings.
const azurePlatform = ipaddr.parseCIDR('168.63.129.16/32');

/**
 * True when the address (as the URL parser or a resolver writes it) is globally routable unicast.
 * IPv4-mapped and NAT64 forms are judged by the IPv4 address inside. Every other form that embeds one (6to4, Teredo, IPv4-compatible,
 * local-use NAT64) is refused whatever it embeds: none of them is how a public host is reached today.
 * Sources: the IANA special-purpose address registries (RFC 6890), as in ipaddr.js.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  // ipaddr.process turns IPv4-mapped IPv6 addresses into the IPv4 address they are a spelling of.
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicIpv4(parsed);
  if (parsed.match(nat64)) return isPublicIpv4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.range() === 'unicast' && parsed.match(globalUnicast);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !address.match(azurePlatform);
}
