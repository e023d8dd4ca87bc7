import { type Act, type AuditDetails, changesBetween, recordAudit } from '../audit/index.ts';
import type { Db, Store } from '../store/index.ts';
import type { SignInAttempt } from './failed-sign-ins.ts';
import { endLinks } from './queries/links.ts';
import { deleteTwoFactor, endChallenges, endOldestSessions, existingUser } from './queries/users.ts';

/** How many browsers a person may be signed in with; the oldest is signed out for the next one. */
export const mostSessions = 50;

type OwnChange = 'user.password' | 'user.two_factor' | 'user.backup_codes';

interface KnownPerson {
  readonly userId: string;
  readonly email: string;
}

/** Turns two-factor off for somebody who lost the authenticator and the backup codes. Throws OperatorError when nobody has the address. */
export async function endTwoFactor(store: Store, email: string, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const user = await existingUser(trx, email);
    const details = changesBetween({ two_factor: Boolean(user.two_factor_enabled) }, { two_factor: false });
    if (details === null) return;
    await deleteTwoFactor(trx, user.id);
    await recordAudit(trx, act, { action: 'user.two_factor', targetId: user.id, details });
  });
}

/**
 * Notes in the audit log that a person changed the own password, two-factor or backup codes; nothing when `twoFactor` is no change.
 * It concerns no account: they may be at many, or none. With the password end unused links to a new one, and sign-ins with the
 * old one that wait for a code.
 */
export async function recordOwnChange(
  store: Store,
  person: KnownPerson,
  change: OwnChange,
  now: number,
  twoFactor?: { readonly from: boolean; readonly to: boolean },
): Promise<void> {
  await store.transaction((trx) => recordOwnChangeIn(trx, person, change, now, twoFactor));
}

/** The same within a transaction that does more. */
export async function recordOwnChangeIn(
  trx: Db,
  { userId, email }: KnownPerson,
  change: OwnChange,
  now: number,
  twoFactor?: { readonly from: boolean; readonly to: boolean },
): Promise<void> {
  const details: AuditDetails | null =
    twoFactor === undefined ? {} : changesBetween({ two_factor: twoFactor.from }, { two_factor: twoFactor.to });
  if (details === null) return;
  const act = { actor: { kind: 'user', id: userId, name: email }, now } as const;
  if (change === 'user.password') {
    await endLinks(trx, { purpose: 'password_reset', email }, now);
    await endChallenges(trx, userId);
  }
  await recordAudit(trx, act, { action: change, targetId: userId, details });
}

/** Notes a sign-in in the audit log, and signs the person out where they signed in longest ago when those are too many. */
export async function recordSignIn(store: Store, { userId, email }: KnownPerson, attempt: SignInAttempt, now: number): Promise<void> {
  const act = { actor: { kind: 'user', id: userId, name: email }, now } as const;
  const details = changesBetween(null, { factor: attempt.factor, address: attempt.address }) ?? {};
  await store.transaction(async (trx) => {
    await endOldestSessions(trx, userId, mostSessions);
    await recordAudit(trx, act, { action: 'user.sign_in', targetId: userId, details });
  });
}
