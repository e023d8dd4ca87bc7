import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { Conflict, newId } from '../core/index.ts';
import type { Db, MembershipRow, OneTimeLinkRow, Store } from '../store/index.ts';
import { endOutlivedLinks } from './makers.ts';
import { type Place, placeIds, type Role } from './memberships.ts';
import { endLinks, endLinksOf } from './queries/links.ts';
import {
  deleteMembership,
  lockHolders,
  selectMembershipAt,
  selectMemberships,
  updateRole,
  upsertMembership,
} from './queries/memberships.ts';
import { deleteUser, existingUser, selectUser, type UserRow } from './queries/users.ts';

/**
 * Gives a person the role of the link they used. An owner who uses an invitation to be a member stays owner. Other unused invitations of
 * theirs to the same place end: they would bring back somebody who was removed since. So do links to a new password: whoever was allowed
 * to make one may not be allowed what the person may from now on.
 */
export async function join(trx: Db, link: OneTimeLinkRow & { readonly role: Role }, user: { id: string; email: string }, act: Act) {
  const place = { provider_id: link.provider_id, account_id: link.account_id };
  const before = await selectMembershipAt(trx, user.id, place);
  const role = before?.role === 'owner' ? 'owner' : link.role;
  await endLinks(trx, { purpose: 'invitation', email: user.email, place }, act.now);
  await endLinks(trx, { purpose: 'password_reset', email: user.email }, act.now);
  if (before?.role === role) return;
  await upsertMembership(trx, { id: newId(), user_id: user.id, role, ...place, created_at: act.now });
  const details = changesBetween(before === undefined ? null : { role: before.role }, { role }) ?? {};
  await recordAudit(trx, act, { action: 'user.join', targetId: user.id, ...placeIds(link), details });
}

/** Makes a member of an account its owner or the other way round; false when they are none. Throws Conflict for the last owner. */
export async function changeRole(
  store: Store,
  { userId, accountId }: { readonly userId: string; readonly accountId: string },
  role: 'owner' | 'member',
  act: Act,
): Promise<boolean> {
  return store.transaction(async (trx) => {
    const place = { provider_id: null, account_id: accountId };
    const owners = await lockHolders(trx, { role: 'owner', ...place });
    const membership = await selectMembershipAt(trx, userId, place);
    if (membership === undefined) return false;
    if (membership.role === role) return true;
    if (membership.role === 'owner') refuseLast(owners, 'owner');
    await updateRole(trx, membership.id, role);
    await endOutlivedLinks(trx, [userId], act.now);
    const details = changesBetween({ role: membership.role }, { role }) ?? {};
    await recordAudit(trx, act, { action: 'user.role', targetId: userId, accountId, details });
    return true;
  });
}

/**
 * Takes a person's role at a place, with the unused invitations there and those they made with it; false when they do not have it.
 * Throws Conflict for the last owner of an account and the last operator, unless `lastToo`.
 */
export async function removeRole(
  store: Store,
  userId: string,
  place: Place,
  { lastToo }: { readonly lastToo: boolean },
  act: Act,
): Promise<boolean> {
  return store.transaction(async (trx) => {
    const at = { role: place.role, provider_id: place.providerId, account_id: place.accountId };
    const holders = await lockHolders(trx, at);
    const user = await selectUser(trx, userId);
    if (user === undefined || !holders.includes(userId)) return false;
    if (!lastToo && (place.role === 'owner' || place.role === 'operator')) refuseLast(holders, place.role);
    await removeMembership(trx, user, at, act);
    return true;
  });
}

/** Removes a person altogether: every role, the sign-in and the sessions. Throws OperatorError when nobody has the address. */
export async function removeUser(store: Store, email: string, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const user = await existingUser(trx, email);
    const memberships = await selectMemberships(trx, user.id);
    for (const membership of memberships) await removeMembership(trx, user, membership, act);
    if (memberships.length === 0) {
      const details = changesBetween({ email }, null) ?? {};
      await recordAudit(trx, act, { action: 'user.remove', targetId: user.id, details });
    }
    await endLinksOf(trx, email, act.now);
    await deleteUser(trx, user.id);
  });
}

async function removeMembership(
  trx: Db,
  user: UserRow,
  at: Pick<MembershipRow, 'role' | 'provider_id' | 'account_id'>,
  act: Act,
): Promise<void> {
  const place = { provider_id: at.provider_id, account_id: at.account_id };
  await deleteMembership(trx, user.id, place);
  // A removed person must not come back by a second invitation.
  await endLinks(trx, { purpose: 'invitation', email: user.email, place }, act.now);
  await endOutlivedLinks(trx, [user.id], act.now);
  const details = changesBetween({ email: user.email, role: at.role }, null) ?? {};
  await recordAudit(trx, act, { action: 'user.remove', targetId: user.id, ...placeIds(place), details });
}

function refuseLast(holders: readonly string[], role: 'owner' | 'operator'): void {
  if (holders.length > 1) return;
  throw new Conflict(role === 'owner' ? 'an account keeps at least one owner' : 'there must be at least one operator');
}
