import { type ExpressionBuilder, sql } from 'kysely';
import { dayMs } from '../../core/index.ts';
import type { AlertDeliveryRow, AlertTargetRow, Database, Db } from '../../store/index.ts';
import type { TargetsWithin } from '../targets/queries.ts';

/** Adds a delivery as the last one of its target. Nobody else may do so meanwhile (`lockTarget`). */
export async function insertDelivery(trx: Db, row: Omit<AlertDeliveryRow, 'position'>): Promise<void> {
  await trx
    .insertInto('alert_deliveries')
    .values({ ...row, position: lastPlace(row.target_id) })
    .execute();
}

/** The place after all deliveries of a target. */
function lastPlace(targetId: string) {
  return sql<number>`(select coalesce(max(position), 0) + 1 from alert_deliveries where target_id = ${targetId})`;
}

interface DueOptions {
  readonly kind: AlertTargetRow['kind'];
  readonly now: number;
  /** So many of each owner at most. */
  readonly perOwner: number;
  /** Owners of whom none are wanted. */
  readonly without: readonly string[];
  readonly most: number;
}

/** A delivery that is due, and whose: an account's or provider's by its id, the installation's by an empty text. */
export interface OwnedDelivery {
  readonly id: string;
  readonly owner: string;
}

/** Deliveries that are due, of each target the first that waits; of each owner one before the second of any other. */
export function selectDue(db: Db, { kind, now, perOwner, without, most }: DueOptions): Promise<OwnedDelivery[]> {
  const owner = sql<string>`coalesce(alert_targets.account_id, alert_targets.provider_id, '')`;
  return db
    .selectFrom((from) => {
      let due = from
        .selectFrom('alert_deliveries')
        .innerJoin('alert_targets', 'alert_targets.id', 'alert_deliveries.target_id')
        .select(['alert_deliveries.id', owner.as('owner')])
        .select(sql<number>`row_number() over (partition by ${owner} order by next_at)`.as('place'))
        .where('kind', '=', kind)
        .where(isDue(now))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('alert_deliveries as earlier')
                .select('earlier.id')
                .whereRef('earlier.target_id', '=', 'alert_deliveries.target_id')
                .where('earlier.state', '=', 'waiting')
                .where(isEarlier),
            ),
          ),
        );
      if (without.length > 0) due = due.where(owner, 'not in', without);
      return due.as('due');
    })
    .select(['id', 'owner'])
    .where('place', '<=', perOwner)
    .orderBy('place')
    .limit(most)
    .execute();
}

/** Takes these as far as they are still due: until `until` they are due for nobody else, and each counts as tried once more. */
export async function takeDue(trx: Db, { ids: wanted, now, until }: { ids: readonly string[]; now: number; until: number }) {
  // Another server may be taking some of them.
  const due = trx.selectFrom('alert_deliveries').select('id').where('id', 'in', wanted).where(isDue(now)).forUpdate().skipLocked();
  const ids = (await due.execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  await trx
    .updateTable('alert_deliveries')
    .set((eb) => ({ next_at: until, attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute();
  return trx
    .selectFrom('alert_deliveries')
    .innerJoin('alert_targets', 'alert_targets.id', 'alert_deliveries.target_id')
    .selectAll('alert_targets')
    .select(['alert_deliveries.id as delivery_id', 'body', 'at', 'attempts'])
    .where('alert_deliveries.id', 'in', ids)
    .execute();
}

export type DueDelivery = Awaited<ReturnType<typeof takeDue>>[number];

const isEarlier = sql<boolean>`(earlier.position, earlier.id) < (alert_deliveries.position, alert_deliveries.id)`;

/** What was never tried is due whatever clock it was made by; a time that lies far ahead was written before the clock was set back. */
function isDue(now: number) {
  return (eb: ExpressionBuilder<Database, 'alert_deliveries'>) =>
    eb.and([
      eb('alert_deliveries.state', '=', 'waiting'),
      eb.or([eb('attempts', '=', 0), eb('next_at', '<=', now), eb('next_at', '>', now + dayMs)]),
    ]);
}

/** Stores the outcome of an attempt, unless a later one is under way. */
export async function storeAttempt(
  db: Db,
  { id, attempts, ...outcome }: Pick<AlertDeliveryRow, 'id' | 'attempts' | 'state' | 'outcome' | 'next_at' | 'ended_at'>,
): Promise<void> {
  await db
    .updateTable('alert_deliveries')
    .set(outcome)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .execute();
}

export async function changeBody(db: Db, id: string, body: string): Promise<void> {
  await db.updateTable('alert_deliveries').set({ body }).where('id', '=', id).execute();
}

/** Drops everything that waits for a target: its notices and deliveries. */
export async function dropWaiting(db: Db, targetId: string): Promise<void> {
  await db.deleteFrom('alert_notices').where('target_id', '=', targetId).execute();
  await db.deleteFrom('alert_deliveries').where('target_id', '=', targetId).where('state', '=', 'waiting').execute();
}

export async function removeDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom('alert_deliveries').where('id', '=', id).execute();
}

/** Has a finished delivery tried again as if it were new, as the last one of its target; false when it is not finished. Locks as `insertDelivery`. */
export async function sendAgain(trx: Db, { id, target_id }: Pick<AlertDeliveryRow, 'id' | 'target_id'>, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('alert_deliveries')
    .set({ state: 'waiting', attempts: 0, next_at: now, at: now, ended_at: null, position: lastPlace(target_id) })
    .where('id', '=', id)
    .where('state', '<>', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function selectDeliveries(
  db: Db,
  targetId: string,
  { before, most }: { readonly before: string | undefined; readonly most: number },
): Promise<AlertDeliveryRow[]> {
  const newest = db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('target_id', '=', targetId)
    .orderBy('position', 'desc')
    .orderBy('id', 'desc')
    .limit(most);
  if (before === undefined) return newest.execute();
  return newest
    .where(sql<boolean>`(position, id) < (select position, id from alert_deliveries where id = ${before} and target_id = ${targetId})`)
    .execute();
}

export async function selectNewestDeliveries(db: Db, targetIds: readonly string[]): Promise<AlertDeliveryRow[]> {
  if (targetIds.length === 0) return [];
  return db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('alert_targets')
        .select(
          sql<string>`(select d.id from alert_deliveries d where d.target_id = alert_targets.id order by d.position desc, d.id desc limit 1)`.as(
            'id',
          ),
        )
        .where('alert_targets.id', 'in', targetIds),
    )
    .execute();
}

export function selectDelivery(db: Db, id: string): Promise<AlertDeliveryRow | undefined> {
  return db.selectFrom('alert_deliveries').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whether a delivery of the target is being sent, or waits for its turn. */
export async function isBeingSent(db: Db, targetId: string): Promise<boolean> {
  const row = await db
    .selectFrom('alert_deliveries')
    .select('id')
    .where('target_id', '=', targetId)
    .where('state', '=', sql.lit('waiting' as const))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts a mail of an owner in this hour; false when it has had `most` of them. Earlier hours are deleted on the way. */
export async function countMail(db: Db, { owner, hour, most }: { owner: string; hour: number; most: number }): Promise<boolean> {
  await db.deleteFrom('alert_mails').where('owner', '=', owner).where('hour', '<>', hour).execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('alert_mails')
    .values({ owner, hour, sent: 1 })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'hour']).doUpdateSet({ sent: sql<number>`alert_mails.sent + 1` }).where('alert_mails.sent', '<', most),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Takes back the count of a mail that was not sent. */
export async function uncountMail(db: Db, { owner, hour }: { owner: string; hour: number }): Promise<void> {
  await db
    .updateTable('alert_mails')
    .set((eb) => ({ sent: eb('sent', '-', 1) }))
    .where('owner', '=', owner)
    .where('hour', '=', hour)
    .execute();
}

/** More targets are not listed. */
const mostFailing = 100;

/** A target whose deliveries fail, and since when. */
export interface FailingTarget extends Pick<AlertTargetRow, 'id' | 'kind' | 'address'> {
  /** When the delivery was made that did not arrive. */
  readonly at: number;
  /** The outcome of the last attempt, in words. */
  readonly outcome: string | null;
}

/** Targets of which a delivery is tried again, or of which the last one that is done was given up; oldest first. */
export function failingTargets(db: Db, within: TargetsWithin): Promise<FailingTarget[]> {
  // The oldest that waits is the one that is tried; its second attempt shows that the first one failed.
  const tried = sql<string>`(select d.id from alert_deliveries d where d.target_id = alert_targets.id and d.state = 'waiting' and d.attempts > 1
    order by d.position, d.id limit 1)`;
  const done = sql<string>`(select d.id from alert_deliveries d where d.target_id = alert_targets.id and d.state <> 'waiting'
    order by d.position desc, d.id desc limit 1)`;
  let query = db
    .selectFrom('alert_targets')
    .innerJoin('alert_deliveries', (join) => join.on('alert_deliveries.id', '=', sql<string>`coalesce(${tried}, ${done})`))
    .select(['alert_targets.id', 'alert_targets.kind', 'alert_targets.address', 'alert_deliveries.at', 'alert_deliveries.outcome'])
    .where('alert_deliveries.state', '<>', 'delivered');
  if ('accountId' in within) query = query.where('alert_targets.account_id', '=', within.accountId);
  else {
    query = query.where('alert_targets.account_id', 'is', null);
    if (within.providerIds !== null) query = query.where('alert_targets.provider_id', 'in', within.providerIds);
  }
  return query.orderBy('alert_targets.id').limit(mostFailing).execute();
}
