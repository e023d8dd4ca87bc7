import { type Kysely, sql } from 'kysely';
import type { SettleCall } from './hot-path.ts';
import { sorted } from './postgres/columns.ts';
import type { Database } from './schema.ts';

// What the end of a send changes, for a store of one server and for what is done later because its answer was lost.

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
