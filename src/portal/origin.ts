import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../core/index.ts';

/**
 * Throws forbidden when a page of another site asks with the person's cookie. Browsers name who asks in Sec-Fetch-Site and, on everything but
 * plain reads, in Origin; what changes something must also carry X-Portal, which a form of another site cannot.
 * The cookie is SameSite=Strict besides. (OWASP, "Cross-Site Request Forgery Prevention".)
 */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string | null): void {
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreign =
    (origin !== undefined && !isOwn(origin, request, publicUrl)) ||
    (site !== undefined && site !== 'same-origin' && site !== 'none') ||
    (changesSomething(request) && request.headers['x-portal'] !== '1');
  if (foreign) throw new GatewayError('forbidden', "Only the portal's own pages may use a session.");
}

/** Whether a request does more than look. */
export function changesSomething({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Whether the origin is one at which browsers reach this portal. */
export function isOwn(origin: string, request: Pick<FastifyRequest, 'host'>, publicUrl: string | null): boolean {
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true;
  // A proxy that speaks HTTPS for us may not report it, and a site of the same host and port cannot be another's.
  const host = request.host.toLowerCase();
  return origin === `http://${host}` || origin === `https://${host}`;
}
