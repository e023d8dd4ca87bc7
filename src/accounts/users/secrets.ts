import type { Store } from '../../store/index.ts';
import type { Act } from '../audit/act.ts';
import { type AuditDetails, changesBetween } from '../audit/changes.ts';
import { recordAudit } from '../audit/record.ts';
import { unknownUser } from './failures.ts';
import { deleteTwoFactor, selectUserByEmail } from './queries.ts';

/** Turns two-factor off for somebody who lost the authenticator and the backup codes. Throws OperatorError when nobody has the address. */
export async function endTwoFactor(store: Store, email: string, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const user = await selectUserByEmail(trx, email);
    if (user === undefined) throw unknownUser(email);
    const details = changesBetween({ two_factor: Boolean(user.two_factor_enabled) }, { two_factor: false });
    if (details === null) return;
    await deleteTwoFactor(trx, store.dialect, user.id);
    await recordAudit(trx, act, { action: 'user.two_factor', targetId: user.id, details });
  });
}

/**
 * Notes in the audit log that a person changed the own password or two-factor; nothing when `twoFactor` tells no change.
 * It concerns no account: they may be at many, or none.
 */
export async function recordOwnChange(
  store: Store,
  { userId, email }: { readonly userId: string; readonly email: string },
  change: 'user.password' | 'user.two_factor',
  now: number,
  twoFactor?: { readonly from: boolean; readonly to: boolean },
): Promise<void> {
  const details: AuditDetails | null =
    twoFactor === undefined ? {} : changesBetween({ two_factor: twoFactor.from }, { two_factor: twoFactor.to });
  if (details === null) return;
  const act = { actor: { kind: 'user', id: userId, name: email }, now } as const;
  await store.transaction((trx) => recordAudit(trx, act, { action: change, targetId: userId, details }));
}
