import { type Kysely, sql } from 'kysely';
import type { ReleaseCall, SettleCall } from './hot-path.ts';
import { databaseNow } from './postgres/leases.ts';
import type { Database } from './schema.ts';
import type { Dialect } from './store.ts';
import { addSends } from './usage.ts';

// What the hot path was asked to do and may or may not have done, because its answer was lost. To be called in a transaction.

/**
 * Settles a send unless it is settled already. A send with a key is counted when its claim changes to accepted; one without is counted when no
 * settlement names its request. A claim that is gone, or that is another message's by now, counts nothing: whether it was counted is not
 * known any more.
 */
export async function settleOnce(trx: Kysely<Database>, dialect: Dialect, call: SettleCall): Promise<void> {
  const { accountId, day, type, keyed, reservation } = call;
  if (reservation !== null) await trx.deleteFrom('trial_reservations').where('id', '=', reservation).execute();
  const counts = keyed === null ? await noteSettlement(trx, dialect, call) : await acceptClaim(trx, accountId, keyed);
  if (!counts) return;
  await addSends(trx, { accountId, day, type, count: 1 });
  if (reservation === null) return;
  await trx
    .updateTable('accounts')
    .set((eb) => ({ trial_used: eb('trial_used', '+', 1) }))
    .where('id', '=', accountId)
    .execute();
}

/** Undoes the claim of a request whose send failed, unless another request has taken it over or it was accepted. */
export async function releaseOnce(trx: Kysely<Database>, call: ReleaseCall & { readonly requestId: string }): Promise<void> {
  const { requestId, accountId, key, handedOver, reservation } = call;
  if (reservation !== null) await trx.deleteFrom('trial_reservations').where('id', '=', reservation).execute();
  if (key === null) return;
  if (handedOver) {
    await trx
      .updateTable('claims')
      .set({ state: 'unknown' })
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .where('owner', '=', requestId)
      .where('state', '=', 'in_flight')
      .execute();
  } else {
    await trx
      .deleteFrom('claims')
      .where('account_id', '=', accountId)
      .where('key', '=', key)
      .where('owner', '=', requestId)
      .where('state', '<>', 'accepted')
      .execute();
  }
}

/** Whether the claim was not accepted before. */
async function acceptClaim(trx: Kysely<Database>, accountId: string, keyed: NonNullable<SettleCall['keyed']>): Promise<boolean> {
  const changed = await trx
    .updateTable('claims')
    .set({ state: 'accepted', owner: '', provider_status: keyed.providerStatus })
    .where('account_id', '=', accountId)
    .where('key', '=', keyed.key)
    .where('message_id', '=', keyed.messageId)
    .where('state', '<>', 'accepted')
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Whether no settlement named the request before. Reads all settlements of the last minutes, so it is slow. */
async function noteSettlement(trx: Kysely<Database>, dialect: Dialect, { requestId, at }: SettleCall): Promise<boolean> {
  // PostgreSQL goes on with a statement whose client has gone: it must have ended before the look.
  if (dialect === 'postgres') await sql`lock table settlements in share row exclusive mode`.execute(trx);
  const request = JSON.stringify(requestId);
  const settled = await trx.selectFrom('settlements').select('id').where('requests', 'like', `%${request}%`).limit(1).executeTakeFirst();
  if (settled !== undefined) return false;
  await trx
    .insertInto('settlements')
    .values({ at: dialect === 'postgres' ? databaseNow : at, requests: `[${request}]` })
    .execute();
  return true;
}
