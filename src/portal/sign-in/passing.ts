import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { succeed } from '../../http/index.ts';
import type { PortalOptions } from '../portal-options.ts';
import { refusal } from './refusal.ts';
import type { BrowserSide } from './sign-in.ts';

/** What of better-auth's answers is used. */
const used = z
  .object({
    code: z.string().optional(),
    totpURI: z.string().optional(),
    backupCodes: z.array(z.string()).optional(),
    twoFactorRedirect: z.boolean().optional(),
    user: z.object({ id: z.string(), email: z.string() }).optional(),
  })
  .catch({});

/** What better-auth answered. */
export interface Passed {
  readonly response: Response;
  /** The Set-Cookie headers of the answer. */
  readonly cookies: readonly string[];
  readonly result: z.output<typeof used>;
}

/** Passes a request's call on to better-auth with its cookies. */
export async function pass(
  { signIn }: Pick<PortalOptions, 'signIn'>,
  request: FastifyRequest,
  path: string,
  body: object,
): Promise<Passed> {
  const response = await signIn.pass({
    path,
    body,
    browser: browserOf(request),
    userAgent: request.headers['user-agent'],
    address: request.ip,
  });
  const cookies = response.headers.getSetCookie();
  return { response, cookies, result: used.parse(await response.json().catch(() => ({}))) };
}

/** Answers in our envelope what better-auth answered, with its cookies. A token in its answer stays in the cookie alone. */
export function answer(request: FastifyRequest, reply: FastifyReply, passed: Passed): FastifyReply {
  const { response, result } = withCookies(reply, passed);
  const { code, totpURI, backupCodes, twoFactorRedirect } = result;
  if (!response.ok) throw refusal(response, code);
  return succeed(request, reply, {
    two_factor: twoFactorRedirect === true,
    ...(totpURI === undefined ? {} : { totp_uri: totpURI }),
    ...(backupCodes === undefined ? {} : { backup_codes: backupCodes }),
  });
}

/** Sets the cookies of an answer already, so that the browser gets them also when what comes after it fails. */
export function withCookies(reply: FastifyReply, passed: Passed): Passed {
  for (const cookie of passed.cookies) reply.header('set-cookie', cookie);
  return { ...passed, cookies: [] };
}

/** What the request's browser is recognised by. The protocol is the one that a trusted proxy names (TRUST_PROXY). */
export function browserOf({ headers, protocol }: FastifyRequest): BrowserSide {
  return { cookie: headers.cookie, https: protocol === 'https' };
}
