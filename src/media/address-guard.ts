import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Clock, GatewayError, OperatorError, systemClock, withTimeout } from '../core/index.ts';
import type { GuardedLink } from '../kinds/index.ts';
import { type SampleName, sampleAt } from '../samples/index.ts';
import { createLookup, type Lookup } from './lookup.ts';

/** A link that passed the guard, with the only addresses a connection for it may go to. */
export interface ApprovedUrl {
  /** As the URL parser writes it: the only form in which it may go anywhere, since any other could be read as another address. */
  readonly href: string;
  /** The same without fragment: what is asked for. */
  readonly url: string;
  /** Checked IP addresses, IPv6 without brackets; empty when the name does not resolve. */
  readonly addresses: readonly string[];
  /** A sample file of the gateway's own, which is read from its disk: nothing is connected to. */
  readonly sample?: SampleName;
}

/** Judges every link that customers give, before anything connects to it (contract, "Media url"; decisions §7). */
export interface AddressGuard {
  /**
   * Approves a public http(s) link. Throws GatewayError `invalid_media_url` naming the field for every other one.
   * A name that does not resolve within 5 s is approved without addresses; fetching it fails later. `ownBases` are the addresses of this
   * service; a link that is exactly a sample file's at one of them is approved as that file, wherever the address points.
   */
  check(link: GuardedLink, ownBases?: readonly string[]): Promise<ApprovedUrl>;
}

export interface AddressGuardOptions {
  /** `host` or `host:port`; these are exempt from the address rules, not from the others. */
  readonly allowHosts: readonly string[];
  readonly lookup?: Lookup | undefined;
  readonly clock?: Clock | undefined;
}

const maxCharacters = 2048;
const lookupMs = 5_000;
const internalNames = ['localhost', 'local', 'internal', 'home.arpa'];

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const isAllowed = createAllowList(options.allowHosts);
  const lookup = options.lookup ?? createLookup();
  const clock = options.clock ?? systemClock;

  /** Every address of a name; none when it does not resolve in time. */
  async function resolve(hostname: string, trust: 'public' | 'allowed'): Promise<readonly string[]> {
    const answers = lookup(hostname, trust).catch(() => []);
    return withTimeout(clock, lookupMs, answers, () => []);
  }

  return {
    async check(link, ownBases = []) {
      const url = parse(link);
      const { href } = url;
      url.hash = '';
      const sample = sampleAt(url.href, ownBases);
      if (sample !== null) return { href, url: url.href, addresses: [], sample };
      const host = hostOf(url);
      const literal = host.startsWith('[') ? host.slice(1, -1) : host;
      const allowed = isAllowed(url);
      if (isIP(literal) !== 0) {
        if (!allowed && !isPublicAddress(literal)) throw refuse(link.field, 'it points at a private, internal or reserved address');
        return { href, url: url.href, addresses: [literal] };
      }
      if (!allowed && isInternalName(host)) throw refuse(link.field, 'it points at an internal name');
      const addresses = await resolve(host, allowed ? 'allowed' : 'public');
      // One bad answer among good ones is how a public name is made to reach an internal address.
      if (!allowed && !addresses.every(isPublicAddress))
        throw refuse(link.field, 'its name resolves to a private, internal or reserved address');
      return { href, url: url.href, addresses };
    },
  };
}

/** The parsed link. Throws when it breaks a rule that does not depend on where it points. */
function parse({ field, url: text }: GuardedLink): URL {
  // No code point takes more than two units, so much longer text need not be counted.
  if (text.length > 2 * maxCharacters || [...text].length > maxCharacters)
    throw refuse(field, `it is longer than ${maxCharacters} characters`);
  const url = URL.parse(text);
  if (url === null) throw refuse(field, 'it is malformed');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse(field, 'its scheme is not http or https');
  const authority = /^\s*https?:\/\/([^/?#\\]+)/i.exec(text)?.[1];
  // The URL parser repairs missing slashes and drops control characters; other readers of the same link would not.
  if (authority === undefined || /[^\P{Cc}\x80-\x9f]/u.test(text)) throw refuse(field, 'it is malformed');
  if (url.username !== '' || url.password !== '' || authority.includes('@')) throw refuse(field, 'it carries a user name or password');
  if (hostOf(url).split('.').includes('')) throw refuse(field, 'it is malformed');
  return url;
}

/** True for names that have a meaning only inside a machine or network (RFC 6761, 6762, 8375; ICANN's `.internal`), and for single labels. */
function isInternalName(host: string): boolean {
  return !host.includes('.') || internalNames.some((name) => host === name || host.endsWith(`.${name}`));
}

function refuse(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_media_url', `${field} must be a public http or https link to a file: ${reason}`, { field });
}

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
function isPublicAddress(address: string): boolean {
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

/**
 * Whether the operator exempted a host from the address rules (`MEDIA_ALLOW_HOSTS`). Entries are `host` (any port) or `host:port`; hosts are names,
 * IPv4 addresses or bracketed IPv6 addresses, in any spelling the URL parser knows. Throws OperatorError for an entry that is neither.
 */
function createAllowList(entries: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(entries.map(canonicalEntry));
  return (url) => {
    const host = hostOf(url);
    return allowed.has(host) || allowed.has(`${host}:${portOf(url)}`);
  };
}

/** The host of a URL without the trailing dot of a fully qualified name; IPv6 in brackets. */
export function hostOf(url: URL): string {
  return url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
}

/** The port of an http(s) URL, the scheme's own when it names none. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function canonicalEntry(entry: string): string {
  const port = /:([0-9]{1,5})$/.exec(entry)?.[1];
  const host = port === undefined ? entry : entry.slice(0, -port.length - 1);
  const url = /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}`);
  if (url === null || url.port !== '' || hostOf(url) === '' || Number(port ?? 0) > 65_535) {
    throw new OperatorError(`MEDIA_ALLOW_HOSTS: ${JSON.stringify(entry)} is not host or host:port`);
  }
  return port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}`;
}
