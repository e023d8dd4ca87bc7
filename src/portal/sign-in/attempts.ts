import type { FastifyRequest } from 'fastify';
import { type Factor, recordSignIn, selectUserByEmail } from '../../accounts/index.ts';
import type { Bound } from '../bounds.ts';
import type { PortalOptions } from '../portal-options.ts';
import { browserOf, type Passed, pass } from './passing.ts';

/** Attempts on one person's password, from wherever they come; better-auth bounds those of one client to 10, so that one alone locks nobody out. */
export const onPassword = (email: string): Bound => ({
  name: `password ${email.trim().toLowerCase()}`,
  perMinute: 30,
  scope: 'sign_in',
});

/** The codes with which better-auth says that a password or code is wrong, and not that trying is blocked. */
const wrong: ReadonlySet<string | undefined> = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_CODE',
  'TOTP_CODE_USED',
  'INVALID_BACKUP_CODE',
]);

/** Signs in by password, which leads to a session or to the question for a two-factor code, and notes how it went in the audit log. */
export async function signInByPassword(
  options: PortalOptions,
  request: FastifyRequest,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Passed> {
  const passed = await pass(options, request, '/sign-in/email', { email, password });
  await noteAttempt(options, request, passed, 'password', () => selectUserByEmail(options.store.db, email.trim().toLowerCase()));
  return passed;
}

/** Passes on the code of somebody whose password was right, and notes how it went in the audit log. */
export async function signInByCode(
  options: PortalOptions,
  request: FastifyRequest,
  path: string,
  body: object,
  factor: Factor,
): Promise<Passed> {
  // A challenge may end with the attempt.
  const person = await options.signIn.challenged(browserOf(request));
  const passed = await pass(options, request, path, body);
  await noteAttempt(options, request, passed, factor, async () =>
    person === null ? undefined : { id: person.userId, email: person.email },
  );
  return passed;
}

/** `whom`: whose sign-in failed, when it did; undefined when nobody known is meant. */
async function noteAttempt(
  { store, clock, failedSignIns }: PortalOptions,
  { ip }: FastifyRequest,
  { response, said }: Passed,
  factor: Factor,
  whom: () => Promise<{ readonly id: string; readonly email: string } | undefined>,
): Promise<void> {
  if (response.ok) {
    // The sign-in is not complete: the two-factor code is still to come.
    if (said.user !== undefined && said.twoFactorRedirect !== true) {
      const { id: userId, email } = said.user;
      await recordSignIn(store, { userId, email }, { factor, address: ip }, clock.now());
    }
    return;
  }
  if (!wrong.has(said.code)) return;
  const person = await whom();
  if (person !== undefined) failedSignIns.note(person.id, { factor, address: ip });
}
