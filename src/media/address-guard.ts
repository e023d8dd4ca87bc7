import { isIP } from 'node:net';
import { type Clock, GatewayError, systemClock, withTimeout } from '../core/index.ts';
import type { GuardedLink } from '../kinds/index.ts';
import { type SampleName, sampleAt } from '../samples/index.ts';
import { isPublicAddress } from './address-class.ts';
import { createAllowList, hostOf } from './allow-list.ts';
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
  if (authority === undefined || hasControlCharacter(text)) throw refuse(field, 'it is malformed');
  if (url.username !== '' || url.password !== '' || authority.includes('@')) throw refuse(field, 'it carries a user name or password');
  if (hostOf(url).split('.').includes('')) throw refuse(field, 'it is malformed');
  return url;
}

function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

/** True for names that have a meaning only inside a machine or network (RFC 6761, 6762, 8375; ICANN's `.internal`), and for single labels. */
function isInternalName(host: string): boolean {
  return !host.includes('.') || internalNames.some((name) => host === name || host.endsWith(`.${name}`));
}

function refuse(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_media_url', `${field} must be a public http or https link to a file: ${reason}`, { field });
}
