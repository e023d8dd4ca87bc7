import { type Kysely, sql } from 'kysely';
import { endsSoonMs, trialNearlyUsed } from '../accounts/index.ts';
import { lastingRestrictions, passingRestrictions } from '../networks/index.ts';
import type { AlertRow, AlertTargetRow, Database, Dialect } from '../store/index.ts';
import { type Condition, isCondition } from './conditions.ts';
import { serverUp } from './machine/measuring.ts';
import { measuresBetween } from './machine/queries.ts';

export type Db = Kysely<Database>;

/** What was measured counts for so long; a server that says nothing for longer is gone. */
const measuredMs = 2 * 60_000;
/** For so long a server that is gone is missed. */
const missedMs = 6 * 60 * 60_000;
/** Each alert takes nine of the parameters that a statement may have. */
const rowsPerInsert = 500;

/** A condition that holds now. */
export type Holding = Pick<AlertRow, 'subject_id' | 'account_id' | 'provider_id' | 'reason' | 'until'> & { readonly condition: Condition };

/** Every condition that holds at `now` (epoch milliseconds). */
export async function selectHolding(db: Db, now: number): Promise<Holding[]> {
  const numbers = () =>
    db
      .selectFrom('instances')
      .innerJoin('accounts', 'accounts.id', 'instances.account_id')
      .select(['instances.id as subject_id', 'account_id', 'provider_id'])
      .where('phone_number', 'is not', null);
  const accounts = () =>
    db
      .selectFrom('accounts')
      .leftJoin('plans', 'plans.id', 'accounts.plan_id')
      .select(['accounts.id as subject_id', 'accounts.id as account_id', 'provider_id'])
      .where('status', '=', 'active');
  // As `storedStanding` of the sessions says it.
  const needPerson = await numbers()
    .select(['linked', 'restriction_reason as reason'])
    .where((eb) => eb.or([eb('linked', '=', 0), eb('restriction_reason', 'in', lastingRestrictions)]))
    .execute();
  const restricted = await numbers()
    .select(['restriction_reason as reason', 'restriction_until as until'])
    .where('linked', '=', 1)
    .where('restriction_reason', 'in', passingRestrictions)
    .where((eb) => eb.or([eb('restriction_until', 'is', null), eb('restriction_until', '>', now)]))
    .execute();
  const trials = await accounts().where(trialNearlyUsed).execute();
  const ends = sql<number>`case when plan_ends_at is null or access_ends_at < plan_ends_at then coalesce(access_ends_at, plan_ends_at) else plan_ends_at end`;
  const ending = await accounts()
    .select(ends.as('until'))
    .where(ends, '<=', now + endsSoonMs)
    .execute();
  return [
    ...(await machineHolding(db, now)),
    ...needPerson.map(({ linked, reason, ...row }) => ({
      ...row,
      condition: 'number_needs_person' as const,
      reason: linked === 0 ? 'unlinked' : reason,
      until: null,
    })),
    ...restricted.map((row) => ({ ...row, condition: 'number_restricted' as const })),
    ...trials.map((row) => ({ ...row, condition: 'trial_nearly_used' as const, reason: null, until: null })),
    ...ending.map((row) => ({ ...row, condition: 'access_ending' as const, reason: null })),
  ];
}

/** What servers measured, and the servers that measure no more. */
async function machineHolding(db: Db, now: number): Promise<Holding[]> {
  const of = { account_id: '', provider_id: '', until: null };
  const measured = await measuresBetween(db, now - measuredMs, now + measuredMs);
  const missed = (await measuresBetween(db, now - missedMs, now - measuredMs)).filter(({ condition }) => condition === serverUp);
  return [
    ...measured.flatMap(({ condition, subject, reason }) =>
      isCondition(condition) ? [{ ...of, condition, subject_id: subject, reason }] : [],
    ),
    ...missed.map(({ subject, at }) => ({
      ...of,
      condition: 'server_lost' as const,
      subject_id: subject,
      reason: `last seen ${new Date(at).toISOString()}`,
    })),
  ];
}

/** Takes the turn of looking at all conditions; false when a server has just looked. */
export async function takeTurn(db: Db, now: number, everyMs: number): Promise<boolean> {
  const value = sql<number>`cast(meta.value as bigint)`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('meta')
    .values({ name: 'alerts_looked_at', value: String(now) })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ value: String(now) })
        // A time that is to come was written before the clock was set back.
        .where((eb) => eb.or([eb(value, '<=', now - everyMs), eb(value, '>', now)])),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Alerts that last. */
export function lastingAlerts(db: Db): Promise<AlertRow[]> {
  return db.selectFrom('alerts').selectAll().where('ended_at', 'is', null).execute();
}

export async function insertAlerts(db: Db, rows: readonly AlertRow[]): Promise<void> {
  for (let i = 0; i < rows.length; i += rowsPerInsert) {
    await db
      .insertInto('alerts')
      .values(rows.slice(i, i + rowsPerInsert))
      .execute();
  }
}

export async function endAlerts(db: Db, ids: readonly string[], now: number): Promise<void> {
  for (const some of parts(ids)) await db.updateTable('alerts').set({ ended_at: now }).where('id', 'in', some).execute();
}

/** These alerts are the concern of the providers that they have here. */
export async function handOver(db: Db, alerts: readonly AlertRow[]): Promise<void> {
  for (const { id, provider_id } of alerts) await db.updateTable('alerts').set({ provider_id }).where('id', '=', id).execute();
}

/** Which of these accounts are the provider's. */
export async function accountsOf(db: Db, providerId: string, ids: readonly string[]): Promise<string[]> {
  const own: string[] = [];
  for (const some of parts(ids)) {
    const rows = await db.selectFrom('accounts').select('id').where('provider_id', '=', providerId).where('id', 'in', some).execute();
    own.push(...rows.map(({ id }) => id));
  }
  return own;
}

/** Alerts that ended before `before` are forgotten. */
export async function forgetAlerts(db: Db, before: number): Promise<void> {
  await db.deleteFrom('alerts').where('ended_at', '<', before).execute();
}

interface Notice {
  readonly target_id: string;
  readonly alert_id: string;
  readonly phase: 'began' | 'ended';
  readonly at: number;
}

/** Notes what is to be told, in this order and after what is noted already. Nobody else may note anything meanwhile (`lockTargets`). */
export async function insertNotices(trx: Db, rows: readonly Notice[]): Promise<void> {
  if (rows.length === 0) return;
  const last = await trx
    .selectFrom('alert_notices')
    .select((eb) => eb.fn.max<number | null>('position').as('position'))
    .executeTakeFirst();
  const first = (last?.position ?? 0) + 1;
  const placed = rows.map((row, place) => ({ ...row, position: first + place }));
  for (let i = 0; i < placed.length; i += rowsPerInsert) {
    await trx
      .insertInto('alert_notices')
      .values(placed.slice(i, i + rowsPerInsert))
      // Who is to be told already is told once: an account may go to another provider and come back.
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Removes beginnings that nobody was told of yet; gives what was removed. */
export async function removeBeginnings(db: Db, alertIds: readonly string[]): Promise<{ target_id: string; alert_id: string }[]> {
  const removed: { target_id: string; alert_id: string }[] = [];
  for (const some of parts(alertIds)) {
    const rows = await db.deleteFrom('alert_notices').where('alert_id', 'in', some).returning(['target_id', 'alert_id']).execute();
    removed.push(...rows);
  }
  return removed;
}

/** Targets that have something to be told, and since when. */
export function targetsToTell(db: Db): Promise<(AlertTargetRow & { since: number })[]> {
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

/**
 * Has others who change targets, or look whom to tell of what began or ended, wait for the end of the transaction. Without it an alert that begins
 * while a target is made or changed would not be told: neither sees what the other is writing.
 */
export async function lockTargets(trx: Db, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await sql`lock table alert_targets in share row exclusive mode`.execute(trx);
}

/** Has others who tell this target wait for the end of the transaction. */
export async function lockTarget(trx: Db, dialect: Dialect, id: string): Promise<void> {
  if (dialect === 'postgres') await trx.selectFrom('alert_targets').select('id').where('id', '=', id).forUpdate().execute();
}

/** What a target is to be told, in order, with the names that people know it by. */
export function noticesOf(db: Db, targetId: string, most: number) {
  return db
    .selectFrom('alert_notices')
    .innerJoin('alerts', 'alerts.id', 'alert_notices.alert_id')
    .leftJoin('accounts', 'accounts.id', 'alerts.account_id')
    .leftJoin('instances', 'instances.id', 'alerts.subject_id')
    .selectAll('alerts')
    .select(['phase', 'alert_notices.at as told_at', 'accounts.name as account_name', 'label', 'phone_number'])
    .where('target_id', '=', targetId)
    .orderBy('alert_notices.position')
    .orderBy('alerts.id')
    .limit(most)
    .execute();
}

export type NoticeRow = Awaited<ReturnType<typeof noticesOf>>[number];

export async function removeNotices(db: Db, targetId: string, rows: readonly NoticeRow[]): Promise<void> {
  for (const phase of ['began', 'ended'] as const) {
    const ids = rows.filter((row) => row.phase === phase).map(({ id }) => id);
    for (const some of parts(ids)) {
      await db
        .deleteFrom('alert_notices')
        .where('target_id', '=', targetId)
        .where('phase', '=', phase)
        .where('alert_id', 'in', some)
        .execute();
    }
  }
}

function* parts(ids: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < ids.length; i += rowsPerInsert) yield ids.slice(i, i + rowsPerInsert);
}
