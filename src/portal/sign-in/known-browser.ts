import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { PortalOptions } from '../portal-options.ts';

/** As long as browsers keep a cookie. */
const keptS = 400 * 24 * 60 * 60;
const purpose = 'known browser';

type Known = Pick<PortalOptions, 'vault' | 'publicUrl'>;
type Asked = Pick<FastifyRequest, 'headers' | 'protocol'>;

/**
 * The id of a browser in which somebody has signed in with this address before; null for any other. It lets nobody in: strangers cannot use up
 * the tries of a browser that they do not have (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
export function knownBrowser(options: Known, { headers: { cookie = '' } }: Asked, email: string): string | null {
  const found = /(?:^|;\s*)(?:__Secure-)?gateway\.known_browser=([\w-]{22})\.([\w-]{43})(?:;|$)/.exec(cookie);
  const [, id = '', signature = ''] = found ?? [];
  return found !== null && timingSafeEqual(Buffer.from(signature), Buffer.from(sign(options, id, email))) ? id : null;
}

/** The Set-Cookie header that makes the browser a known one of this person, who has just signed in. It keeps its id when it was one. */
export function knownBrowserCookie(options: Known, request: Asked, email: string): string {
  const id = knownBrowser(options, request, email) ?? randomBytes(16).toString('base64url');
  const secure = options.publicUrl?.startsWith('https:') === true || request.protocol === 'https';
  const name = `${secure ? '__Secure-' : ''}gateway.known_browser`;
  const attributes = `Max-Age=${keptS}; Path=/portal; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return `${name}=${id}.${sign(options, id, email)}; ${attributes}`;
}

/** With the present key alone: one that was replaced, perhaps because it leaked, must make no known browsers. */
function sign({ vault }: Known, id: string, email: string): string {
  const key = vault.replacements(purpose)[0]?.secret ?? vault.derive(purpose);
  return createHmac('sha256', key)
    .update(JSON.stringify([id, spelled(email)]))
    .digest('base64url');
}

/** An address as it is stored, however somebody types it. */
export function spelled(email: string): string {
  return email.trim().toLowerCase();
}
