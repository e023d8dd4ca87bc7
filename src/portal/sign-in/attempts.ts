import type { FastifyReply, FastifyRequest } from 'fastify';
import { systemClock } from '../../core/index.ts';
import { networkOf } from '../../http/index.ts';
import { codesLockedUntil, type Factor, recordSignIn, selectUserByEmail } from '../../people/index.ts';
import { bound, tooMany } from '../bounds.ts';
import type { PortalOptions } from '../portal-options.ts';
import { knownBrowser, knownBrowserCookie, spelled } from './known-browser.ts';
import { browserOf, type Passed, pass } from './passing.ts';

/** Tries per minute of one network, of one known browser, of one signed-in person. */
const perSource = 10;
/** Tries per minute on one name, from everywhere; and when those are used up, of networks that have one each. */
const perName = 30;
const oneEach = 300;

/** better-auth's codes for a wrong password or code; others mean that trying is blocked. */
const wrong: ReadonlySet<string | undefined> = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_CODE',
  'TOTP_CODE_USED',
  'INVALID_BACKUP_CODE',
]);

/**
 * Bounds tries of a password by somebody who is not signed in: by where they come from, and what that refuses costs the named person nothing;
 * then by whom they name. A browser in which that person has signed in before has tries of its own, which no stranger can use up. Others share the
 * name's; when those are used up, each network still has one, so that a few strangers keep nobody out who comes from elsewhere.
 */
export async function boundPasswordTries(
  options: PortalOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
): Promise<void> {
  const counted = (name: string, perMinute: number) => bound(options.limiter, reply, { name, perMinute, scope: 'sign_in' });
  const browser = knownBrowser(options, request, email);
  if (browser !== null) return counted(`password in ${browser}`, perSource);
  const network = networkOf(request.ip);
  await counted(`password from ${network}`, perSource);
  // Last in each budget's name, because the caller chose it: anywhere else it could spell the name of another budget.
  const name = spelled(email);
  const { admitted } = await options.limiter.take(`password of ${name}`, perName);
  if (admitted) return;
  await counted(`password from ${network} of ${name}`, 1);
  await counted(`password from one each of ${name}`, oneEach);
}

/** Bounds tries of a code by who has given the right password and is not signed in yet. better-auth bounds those on one person. */
export async function boundCodeTries({ limiter }: PortalOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await bound(limiter, reply, { name: `code from ${networkOf(request.ip)}`, perMinute: perSource, scope: 'sign_in' });
}

/** Bounds tries of the own password or code by somebody who is signed in: a stolen session must not serve to find out either. */
export async function boundOwnTries(
  { limiter }: PortalOptions,
  { userId }: { readonly userId: string },
  reply: FastifyReply,
): Promise<void> {
  await bound(limiter, reply, { name: `own password ${userId}`, perMinute: perSource, scope: 'sign_in' });
}

/** Signs in by password, which leads to a session or to the question for a two-factor code, and notes its outcome in the audit log. */
export async function signInByPassword(
  options: PortalOptions,
  request: FastifyRequest,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Passed> {
  const passed = await pass(options, request, '/sign-in/email', { email, password });
  return noteAttempt(options, request, passed, 'password', () => selectUserByEmail(options.store.db, spelled(email)));
}

/** Passes a code on. Throws rate_limit_exceeded while better-auth takes none of this person; until when, it does not say. */
export async function passCode(
  options: PortalOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, body, userId }: { readonly path: string; readonly body: object; readonly userId: string | undefined },
): Promise<Passed> {
  const passed = await pass(options, request, path, body);
  if (passed.result.code !== 'ACCOUNT_TEMPORARILY_LOCKED') return passed;
  const until = userId === undefined ? null : await codesLockedUntil(options.store.db, userId);
  // By the clock that better-auth locks by.
  const seconds = Math.ceil(((until ?? 0) - systemClock.now()) / 1000);
  throw tooMany(reply, Math.max(1, seconds), { scope: 'sign_in' });
}

/** Passes on the code of somebody whose password was right, and notes its outcome in the audit log. */
export async function signInByCode(
  options: PortalOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  body: object,
  factor: Factor,
): Promise<Passed> {
  // A challenge may end with the attempt.
  const person = await options.signIn.challenged(browserOf(request));
  const passed = await passCode(options, request, reply, { path, body, userId: person?.userId });
  return noteAttempt(options, request, passed, factor, async () =>
    person === null ? undefined : { id: person.userId, email: person.email },
  );
}

/** What was passed; when it signed somebody in, the browser is a known one from then on. `whom`: whose sign-in failed, when it did; undefined when nobody known is meant. */
async function noteAttempt(
  options: PortalOptions,
  request: FastifyRequest,
  passed: Passed,
  factor: Factor,
  whom: () => Promise<{ readonly id: string; readonly email: string } | undefined>,
): Promise<Passed> {
  const { store, clock, failedSignIns } = options;
  const { response, result } = passed;
  const { ip: address } = request;
  if (response.ok) {
    // The sign-in is not complete: the two-factor code is still to come.
    if (result.user === undefined || result.twoFactorRedirect === true) return passed;
    const { id: userId, email } = result.user;
    await recordSignIn(store, { userId, email }, { factor, address }, clock.now());
    return { ...passed, cookies: [...passed.cookies, knownBrowserCookie(options, request, email)] };
  }
  if (wrong.has(result.code)) {
    const person = await whom();
    if (person !== undefined) failedSignIns.note(person.id, { factor, address });
  }
  return passed;
}
