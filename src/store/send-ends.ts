import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ReleaseCall, SettleCall } from './hot-path.ts';
import type { Database } from './schema.ts';
import { sorted } from './statements.ts';
import { dialectOf } from './store.ts';
import { addSends } from './usage.ts';

// What the end of a send changes, for a store of one server and for what is done later because its answer was lost.

/** The kind of the pending writes that claims, reservations and settlements are kept for. */
export const settlementWriteName = 'settlement';

/** Whether the end of this request's send, which was accepted, is still to be counted. */
export const settlementIsPending = (requestId: RawBuilder<unknown>) =>
  sql<boolean>`exists (select 1 from pending_writes where pending_writes.id = ${sql.lit(`${settlementWriteName} `)} || ${requestId})`;

/** A settlement was written at most so long before or after it counted as failed; servers know the database's time to within minutes. */
const settledWithinMs = 10 * 60_000;

/** How many sends of a type are counted for an account's day; `trial`: how many of them were a trial's. */
export interface SendSum {
  readonly account: string;
  readonly day: string;
  readonly type: string;
  count: number;
  trial: number;
}

/** What these accepted sends are counted as. */
export function sumsOf(calls: readonly SettleCall[]): SendSum[] {
  const sums = new Map<string, SendSum>();
  for (const { accountId: account, day, type, reservation } of calls) {
    const id = `${account} ${day} ${type}`;
    const sum = sums.get(id) ?? { account, day, type, count: 0, trial: 0 };
    sums.set(id, sum);
    sum.count++;
    if (reservation !== null) sum.trial++;
  }
  return sorted(sums);
}

interface ClaimName {
  readonly account: string;
  readonly key: string;
}

/** What was accepted before does not change, so the change is what is to be counted. */
export function acceptClaim(
  db: Kysely<Database>,
  claim: ClaimName & { readonly messageId: string; readonly providerStatus: string | null },
) {
  return db
    .updateTable('claims')
    .set({ state: sql.lit('accepted'), owner: sql.lit(''), provider_status: claim.providerStatus })
    .where('account_id', '=', claim.account)
    .where('key', '=', claim.key)
    .where('message_id', '=', claim.messageId)
    .where('state', '<>', sql.lit('accepted'));
}

/** Only the claim's own request undoes it: another may have taken it over. An accepted one has no owner. */
export function forgetClaim(db: Kysely<Database>, { account, key, owner }: ClaimName & { readonly owner: string }) {
  return db.deleteFrom('claims').where('account_id', '=', account).where('key', '=', key).where('owner', '=', owner);
}

/** The same after its message may have left. */
export function leaveClaim(db: Kysely<Database>, { account, key, owner }: ClaimName & { readonly owner: string }) {
  return db
    .updateTable('claims')
    .set({ state: sql.lit('unknown') })
    .where('account_id', '=', account)
    .where('key', '=', key)
    .where('owner', '=', owner)
    .where('state', '=', sql.lit('in_flight'));
}

export function unreserve(db: Kysely<Database>, { id }: { readonly id: string }) {
  return db.deleteFrom('trial_reservations').where('id', '=', id);
}

export function useTrial(db: Kysely<Database>, { account, trial }: Pick<SendSum, 'account' | 'trial'>) {
  return db
    .updateTable('accounts')
    .set((eb) => ({ trial_used: eb('trial_used', '+', trial) }))
    .where('id', '=', account);
}

// What the hot path may or may not have done, because its answer was lost. To be called in a transaction.

/**
 * Settles a send unless it is settled already. A send with a key is counted when its claim changes to accepted; one without is counted when no
 * settlement names its request. A claim that is gone, or that is another message's by now, counts nothing: whether it was counted is not
 * known any more. `pendingSince`: when its settlement failed.
 */
export async function settleOnce(trx: Kysely<Database>, call: SettleCall, pendingSince: number): Promise<void> {
  const { accountId: account, day, type, keyed, reservation } = call;
  if (reservation !== null) await unreserve(trx, { id: reservation }).execute();
  const counts = keyed === null ? await noteSettlement(trx, call, pendingSince) : await accepts(trx, { account, ...keyed });
  if (!counts) return;
  await addSends(trx, { accountId: account, day, type, count: 1 });
  if (reservation !== null) await useTrial(trx, { account, trial: 1 }).execute();
}

/** Undoes the claim of a request whose send failed, unless another request has taken it over or it was accepted. */
export async function releaseOnce(trx: Kysely<Database>, call: ReleaseCall): Promise<void> {
  const { requestId: owner, accountId: account, key, handedOver, reservation } = call;
  if (reservation !== null) await unreserve(trx, { id: reservation }).execute();
  if (key !== null) await (handedOver ? leaveClaim : forgetClaim)(trx, { account, key, owner }).execute();
}

/** Whether the claim was not accepted before. */
async function accepts(trx: Kysely<Database>, claim: Parameters<typeof acceptClaim>[1]): Promise<boolean> {
  return (await acceptClaim(trx, claim).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Whether no settlement named the request before. Reads all settlements of some minutes, so it is slow. */
async function noteSettlement(trx: Kysely<Database>, { requestId, at }: SettleCall, pendingSince: number): Promise<boolean> {
  const dialect = dialectOf(trx);
  // PostgreSQL goes on with a statement whose client has gone: it must have ended before the look.
  if (dialect === 'postgres') await sql`lock table settlements in share row exclusive mode`.execute(trx);
  const request = JSON.stringify(requestId);
  const naming = trx.selectFrom('settlements').select('id').where('requests', 'like', `%${request}%`).limit(1);
  const [from, to] = [pendingSince - settledWithinMs, pendingSince + settledWithinMs];
  const settled = await (dialect === 'postgres' ? naming.where('at', '>=', from).where('at', '<=', to) : naming).executeTakeFirst();
  if (settled !== undefined) return false;
  await trx
    .insertInto('settlements')
    // Dated so that the same write, stored a second time, finds it.
    .values({ at: dialect === 'postgres' ? pendingSince : at, requests: `[${request}]` })
    .execute();
  return true;
}
