import { sql } from 'kysely';
import { endsSoonMs, trialNearlyUsed } from '../../accounts/index.ts';
import { lastingRestrictions, passingRestrictions } from '../../networks/index.ts';
import type { AlertRow, Db } from '../../store/index.ts';
import type { TargetsWithin } from '../targets/queries.ts';
import { type Condition, isCondition } from './conditions.ts';

/** A measure counts for so long; a server that stores none for longer is gone. */
const measuredMs = 2 * 60_000;
/** For so long a server that is gone is missed. */
const missedMs = 6 * 60 * 60_000;
/** The measure of a server that runs. */
export const serverUp = 'server_up';

/** A condition that is true now, of its subject. */
export type CurrentCondition = Pick<AlertRow, 'subject_id' | 'account_id' | 'provider_id' | 'reason' | 'until'> & {
  readonly condition: Condition;
};

/** Every condition that is true at `now` (epoch milliseconds). */
export async function selectCurrentConditions(db: Db, now: number): Promise<CurrentCondition[]> {
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
  // The same rule as `storedStanding` of the sessions.
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
    ...(await measuredConditions(db, now)),
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

interface ProblemPage {
  readonly ended: boolean;
  readonly before: string | undefined;
  readonly most: number;
}

/** Alerts that last, or those that are over, with the names that people know their subjects by; newest first. */
export function selectProblems(db: Db, within: TargetsWithin, { ended, before, most }: ProblemPage) {
  let query = db
    .selectFrom('alerts')
    .leftJoin('accounts', 'accounts.id', 'alerts.account_id')
    .leftJoin('instances', 'instances.id', 'alerts.subject_id')
    .selectAll('alerts')
    .select(['accounts.name as account_name', 'label', 'phone_number'])
    .where('ended_at', ended ? 'is not' : 'is', null);
  if (before !== undefined) query = query.where('alerts.id', '<', before);
  if ('accountId' in within) query = query.where('alerts.account_id', '=', within.accountId);
  else if (within.providerIds !== null)
    // What an account is called since it left is not for the provider it came from.
    query = query.where('alerts.provider_id', 'in', within.providerIds).whereRef('accounts.provider_id', '=', 'alerts.provider_id');
  // Ids grow with time.
  return query.orderBy('alerts.id', 'desc').limit(most).execute();
}

/** What servers measured, and the servers that measure no more. */
async function measuredConditions(db: Db, now: number): Promise<CurrentCondition[]> {
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

interface Measure {
  readonly condition: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly at: number;
}

/** Stores that a condition is true of its subject, as measured at `at`. */
export async function storeMeasure(db: Db, measure: Measure): Promise<void> {
  await db
    .insertInto('alert_measures')
    .values(measure)
    .onConflict((conflict) => conflict.columns(['condition', 'subject']).doUpdateSet({ reason: measure.reason, at: measure.at }))
    .execute();
}

export async function deleteMeasure(db: Db, { condition, subject }: Pick<Measure, 'condition' | 'subject'>): Promise<void> {
  await db.deleteFrom('alert_measures').where('condition', '=', condition).where('subject', '=', subject).execute();
}

export async function deleteMeasuresBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom('alert_measures').where('at', '<', before).execute();
}

/** Measures taken after `from` and not after `to`. */
function measuresBetween(db: Db, from: number, to: number): Promise<Measure[]> {
  return db.selectFrom('alert_measures').selectAll().where('at', '>', from).where('at', '<=', to).execute();
}
