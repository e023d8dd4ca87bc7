import { type ExpressionBuilder, sql } from 'kysely';
import type { AlertDeliveryRow, AlertTargetRow, Database, Dialect } from '../../store/index.ts';
import type { Db } from '../queries.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Adds a delivery as the last one of its target, which others must not tell meanwhile (`lockTarget`). */
export async function insertDelivery(trx: Db, row: Omit<AlertDeliveryRow, 'position'>): Promise<void> {
  const position = sql<number>`(select coalesce(max(position), 0) + 1 from alert_deliveries where target_id = ${row.target_id})`;
  await trx
    .insertInto('alert_deliveries')
    .values({ ...row, position })
    .execute();
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
export async function takeDue(
  trx: Db,
  dialect: Dialect,
  { ids: wanted, now, until }: { ids: readonly string[]; now: number; until: number },
) {
  const due = trx.selectFrom('alert_deliveries').select('id').where('id', 'in', wanted).where(isDue(now));
  // Another server may be taking some of them.
  const ids = (await (dialect === 'postgres' ? due.forUpdate().skipLocked() : due).execute()).map(({ id }) => id);
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

/** What was never tried is due whatever clock it was made by; a time that is far ahead was written before the clock was set back. */
function isDue(now: number) {
  return (eb: ExpressionBuilder<Database, 'alert_deliveries'>) =>
    eb.and([
      eb('alert_deliveries.state', '=', 'waiting'),
      eb.or([eb('attempts', '=', 0), eb('next_at', '<=', now), eb('next_at', '>', now + dayMs)]),
    ]);
}

/** Notes what an attempt came to, unless a later one is under way. */
export async function noteAttempt(
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

/** Replaces what a delivery says. */
export async function changeBody(db: Db, id: string, body: string): Promise<void> {
  await db.updateTable('alert_deliveries').set({ body }).where('id', '=', id).execute();
}

/** Drops what is still to be sent to a target: what was noted for it, and its deliveries that wait. */
export async function dropWaiting(db: Db, targetId: string): Promise<void> {
  await db.deleteFrom('alert_notices').where('target_id', '=', targetId).execute();
  await db.deleteFrom('alert_deliveries').where('target_id', '=', targetId).where('state', '=', 'waiting').execute();
}

export async function removeDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom('alert_deliveries').where('id', '=', id).execute();
}

/** Has a finished delivery tried again as if it were new; false when there is none that is finished. */
export async function sendAgain(db: Db, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alert_deliveries')
    .set({ state: 'waiting', attempts: 0, next_at: now, at: now, ended_at: null })
    .where('id', '=', id)
    .where('state', '<>', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The newest deliveries of a target, or those before one of them. */
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

/** The newest delivery of each of the targets. */
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
