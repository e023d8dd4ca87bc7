import { sql } from 'kysely';
import { parts } from '../core/index.ts';
import type { AlertRow, AlertTargetRow, Db } from '../store/index.ts';

/** Each alert takes nine of the parameters that a statement may have. */
const rowsPerInsert = 500;

/** Takes the turn of updating the alerts; false when a server has just had it. */
export async function takeTurn(db: Db, now: number, everyMs: number): Promise<boolean> {
  const value = sql<number>`cast(meta.value as bigint)`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('meta')
    .values({ name: 'alerts_looked_at', value: String(now) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: String(now) })
        // A time that lies ahead was written before the clock was set back.
        .where((eb) => eb.or([eb(value, '<=', now - everyMs), eb(value, '>', now)])),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export function lastingAlerts(db: Db): Promise<AlertRow[]> {
  return db.selectFrom('alerts').selectAll().where('ended_at', 'is', null).execute();
}

export async function insertAlerts(db: Db, rows: readonly AlertRow[]): Promise<void> {
  for (const some of parts(rows, rowsPerInsert)) await db.insertInto('alerts').values(some).execute();
}

export async function endAlerts(db: Db, ids: readonly string[], now: number): Promise<void> {
  for (const some of parts(ids, rowsPerInsert)) await db.updateTable('alerts').set({ ended_at: now }).where('id', 'in', some).execute();
}

/** Stores what may change of alerts while they last. */
export async function storeChanges(db: Db, alerts: readonly AlertRow[]): Promise<void> {
  for (const { id, provider_id, reason, until } of alerts)
    await db.updateTable('alerts').set({ provider_id, reason, until }).where('id', '=', id).execute();
}

export async function accountsOf(db: Db, providerId: string, ids: readonly string[]): Promise<string[]> {
  const own: string[] = [];
  for (const some of parts(ids, rowsPerInsert)) {
    const rows = await db.selectFrom('accounts').select('id').where('provider_id', '=', providerId).where('id', 'in', some).execute();
    own.push(...rows.map(({ id }) => id));
  }
  return own;
}

/** Alerts that ended before `before` are forgotten. */
export async function forgetAlerts(db: Db, before: number): Promise<void> {
  await db.deleteFrom('alerts').where('ended_at', '<', before).execute();
}

/** A target is to be notified of the beginning or the end of an alert. */
interface Notice {
  readonly target_id: string;
  readonly alert_id: string;
  readonly phase: 'began' | 'ended';
  readonly at: number;
}

/** Stores notices, in this order and after those that are there. Nobody else may do so meanwhile (`lockTargets`). */
export async function insertNotices(trx: Db, rows: readonly Notice[]): Promise<void> {
  if (rows.length === 0) return;
  const last = await trx
    .selectFrom('alert_notices')
    .select((eb) => eb.fn.max<number | null>('position').as('position'))
    .executeTakeFirst();
  const first = (last?.position ?? 0) + 1;
  const placed = rows.map((row, place) => ({ ...row, position: first + place }));
  for (const some of parts(placed, rowsPerInsert)) {
    await trx
      .insertInto('alert_notices')
      .values(some)
      // A notice that waits stays as it is: an account may go to another provider and come back.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Removes the beginnings of these alerts that were not sent yet; gives what was removed. */
export async function removeBeginnings(db: Db, alertIds: readonly string[]): Promise<Pick<Notice, 'target_id' | 'alert_id' | 'at'>[]> {
  const removed: Pick<Notice, 'target_id' | 'alert_id' | 'at'>[] = [];
  for (const some of parts(alertIds, rowsPerInsert)) {
    const notices = db.deleteFrom('alert_notices').where('alert_id', 'in', some);
    removed.push(...(await notices.returning(['target_id', 'alert_id', 'at']).execute()));
  }
  return removed;
}

export function targetsToNotify(db: Db): Promise<(AlertTargetRow & { since: number })[]> {
  return db
    .selectFrom('alert_targets')
    .innerJoin(
      (from) =>
        from
          .selectFrom('alert_notices')
          .select((eb) => ['target_id', eb.fn.min<number>('at').as('since')])
          .groupBy('target_id')
          .as('notices'),
      (join) => join.onRef('notices.target_id', '=', 'alert_targets.id'),
    )
    .selectAll('alert_targets')
    .select('since')
    .execute();
}

/** The notices of a target, in order, with the names that people know their subjects by. Nobody else removes them before the transaction ends. */
export function noticesOf(trx: Db, targetId: string, most: number) {
  const notices = trx
    .selectFrom('alert_notices')
    .innerJoin('alerts', 'alerts.id', 'alert_notices.alert_id')
    .leftJoin('accounts', 'accounts.id', 'alerts.account_id')
    .leftJoin('instances', 'instances.id', 'alerts.subject_id')
    .selectAll('alerts')
    .select(['phase', 'alert_notices.at as noticed_at', 'accounts.name as account_name', 'label', 'phone_number'])
    .where('target_id', '=', targetId)
    .orderBy('alert_notices.position')
    .orderBy('alerts.id')
    .limit(most);
  // Otherwise a beginning would be sent that is being removed because its cause has ended, and its end never.
  return notices.forUpdate('alert_notices').execute();
}

export type NoticeRow = Awaited<ReturnType<typeof noticesOf>>[number];

export async function removeNotices(db: Db, targetId: string, rows: readonly NoticeRow[]): Promise<void> {
  for (const phase of ['began', 'ended'] as const) {
    const ofPhase = rows.flatMap((row) => (row.phase === phase ? [row.id] : []));
    for (const ids of parts(ofPhase, rowsPerInsert)) {
      const ofTarget = db.deleteFrom('alert_notices').where('target_id', '=', targetId);
      await ofTarget.where('phase', '=', phase).where('alert_id', 'in', ids).execute();
    }
  }
}
