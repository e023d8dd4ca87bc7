import { lockAccount } from '../accounts/index.ts';
import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { useUpScanLinks } from '../people/index.ts';
import { holdLease, type Lease, type Store } from '../store/index.ts';
import { startAnew } from './chat-budget/queries.ts';
import { isLinkedElsewhere, lockInstance, markUnlinked, removeCredentials, removeInstance, updateInstance } from './queries.ts';

// Changes of an instance. Each is one transaction, together with its row in the audit log. Those that only its owner makes throw OwnershipLost,
// with nothing changed, when another server owns it.

/** An instance under the lease that this process had for it; null: the store has one server only. */
export interface OwnedInstance {
  readonly id: string;
  readonly lease: Lease | null;
}

export type InstanceChange = Parameters<typeof updateInstance>[2];

export async function changeInstance(store: Store, { id, lease }: OwnedInstance, change: InstanceChange): Promise<void> {
  if (lease === null) return updateInstance(store.db, id, change);
  await store.transaction(async (trx) => {
    await holdLease(trx, id, lease);
    await updateInstance(trx, id, change);
  });
}

/** Changes the instance's label. Does nothing if it is the same. */
export async function renameInstance(store: Store, id: string, label: string, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    const row = await lockInstance(trx, id);
    const details = row === undefined ? null : changesBetween({ label: row.label }, { label });
    if (row === undefined || details === null) return;
    await updateInstance(trx, id, { label });
    await recordAudit(trx, act, { action: 'number.rename', targetId: id, accountId: row.account_id, details });
  });
}

/**
 * Stores what is known of the number after a phone has linked the instance. False, with nothing stored, when another instance of the account
 * was linked with it on another server.
 */
export async function linkInstance(
  store: Store,
  { id, lease, accountId }: OwnedInstance & { readonly accountId: string },
  change: { readonly phone_number: string },
  act: Act,
): Promise<boolean> {
  return store.transaction(async (trx) => {
    await holdLease(trx, id, lease);
    if (lease !== null) {
      // One after the other, so that the second of two finds the first.
      await lockAccount(trx, accountId);
      if (await isLinkedElsewhere(trx, { id, account_id: accountId }, change.phone_number)) return false;
    }
    const before = await lockInstance(trx, id);
    // The budget keeps a number from starting many chats, and this one has started none.
    if (before?.phone_number !== change.phone_number) await startAnew(trx, id);
    await updateInstance(trx, id, { ...change, linked_at: act.now });
    const details = changesBetween(null, { phone_number: change.phone_number }) ?? {};
    await recordAudit(trx, act, { action: 'number.link', targetId: id, accountId, details });
    await useUpScanLinks(trx, { id, accountId }, act.now);
    return true;
  });
}

/** Deletes every credential record, so that the instance is no longer linked. `act` is null when no user of the gateway caused it. */
export async function unlinkInstance(store: Store, { id, lease }: OwnedInstance, act: Act | null): Promise<void> {
  await store.transaction(async (trx) => {
    await holdLease(trx, id, lease);
    await removeCredentials(trx, id);
    const row = await markUnlinked(trx, id);
    if (act === null || row === undefined) return;
    const details = changesBetween({ phone_number: row.phone_number }, null) ?? {};
    await recordAudit(trx, act, { action: 'number.disconnect', targetId: id, accountId: row.account_id, details });
  });
}

export async function deleteInstance(store: Store, { id, lease }: OwnedInstance, act: Act): Promise<void> {
  await store.transaction(async (trx) => {
    await holdLease(trx, id, lease);
    await removeCredentials(trx, id);
    const row = await removeInstance(trx, id);
    if (row === undefined) return;
    const { label, network, phone_number } = row;
    const details = changesBetween({ label, network, phone_number }, null) ?? {};
    await recordAudit(trx, act, { action: 'number.delete', targetId: id, accountId: row.account_id, details });
  });
}
