import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Db, type Filter, inList, type ListPage, type ListRequest, like, never, type Sorts, selectPage } from '../../store/index.ts';
import { type AccountSummary, accountSummaries, numbersOfAccount } from './accounts.ts';
import { type Connections, stands } from './number-list.ts';

/** The states that accounts are found by, in the words of their badges. */
export const accountStates = ['active', 'suspended', 'ended', 'no_plan', 'trial_nearly_used', 'trial_used_up'] as const;

/** How long before its end a plan or an access counts as ending soon. */
export const endsSoonMs = 7 * 24 * 60 * 60 * 1000;
/** Whether four fifths of a trial are used. Products of large limits would not fit PostgreSQL's integer. */
export const trialNearlyUsed = sql<SqlBool>`(accounts.trial_used >= plans.trial_message_limit - plans.trial_message_limit / 5)`;

export interface AccountFilter extends Filter {
  readonly state?: (typeof accountStates)[number] | undefined;
  /** The id of a plan, or `none`. */
  readonly planId?: string | undefined;
  /** Plan or access end within so many milliseconds. */
  readonly endsWithinMs?: number | undefined;
  /** Those with numbers that only a person can bring back. */
  readonly needsPerson?: boolean | undefined;
  /** Only these. */
  readonly ids?: readonly string[] | undefined;
  readonly now: number;
}

const id = sql<string>`accounts.id`;
const planEnds = sql<number>`coalesce(accounts.plan_ends_at, ${never})`;
const accessEnds = sql<number>`coalesce(accounts.access_ends_at, ${never})`;
/** When the first of plan and access ends. */
const ends = sql<number>`(case when ${planEnds} < ${accessEnds} then ${planEnds} else ${accessEnds} end)`;

export const accountSorts = {
  created: { type: 'number', key: sql`accounts.created_at` },
  name: { type: 'text', key: sql`lower(accounts.name)` },
  ends: { type: 'number', key: ends },
  numbers: { type: 'number', key: numbersOfAccount },
} as const satisfies Sorts;

export async function selectAccountPage(
  db: Db,
  filter: AccountFilter,
  connections: Connections,
  request: ListRequest<keyof typeof accountSorts>,
): Promise<ListPage<AccountSummary>> {
  return selectPage(fittingAccounts(db, filter, connections), { id, ...accountSorts[request.sort] }, request, (ids) =>
    selectAccountsOf(db, ids),
  );
}

/** These accounts, oldest first. */
export async function selectAccountsOf(db: Db, ids: readonly string[]): Promise<AccountSummary[]> {
  if (ids.length === 0) return [];
  return accountSummaries(db).where('accounts.id', 'in', ids).orderBy('accounts.created_at').orderBy('accounts.id').execute();
}

/** How many numbers of each of these accounts only a person can bring back; accounts without any are absent. */
export async function countNeedingPerson(
  db: Db,
  ids: readonly string[],
  connections: Connections,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('instances')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('n')])
    .where('account_id', 'in', ids)
    .where(stands('needs_person', connections, now))
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, n }) => [account_id, n]));
}

function fittingAccounts(db: Db, filter: AccountFilter, connections: Connections) {
  const { providerIds, search, state, planId, endsWithinMs, needsPerson, ids, now } = filter;
  let fitting = db
    .selectFrom('accounts')
    .innerJoin('providers', 'providers.id', 'accounts.provider_id')
    .leftJoin('plans', 'plans.id', 'accounts.plan_id');
  if (providerIds !== null) fitting = fitting.where('accounts.provider_id', 'in', providerIds);
  if (search !== undefined)
    fitting = fitting.where((eb) => eb.or([like([eb.ref('accounts.name')], search), eb('accounts.id', '=', search.toLowerCase())]));
  if (state !== undefined) fitting = fitting.where(isIn(state, now));
  if (planId !== undefined)
    fitting = planId === 'none' ? fitting.where('accounts.plan_id', 'is', null) : fitting.where('accounts.plan_id', '=', planId);
  if (endsWithinMs !== undefined) fitting = fitting.where(sql<SqlBool>`${ends} > ${now} and ${ends} <= ${now + endsWithinMs}`);
  if (needsPerson === true) {
    const waiting = stands('needs_person', connections, now);
    fitting = fitting.where(sql<SqlBool>`exists (select 1 from instances where instances.account_id = accounts.id and ${waiting})`);
  }
  if (ids !== undefined) fitting = fitting.where(inList(id, ids));
  return fitting;
}

/** The first reason why an account cannot send, in the order in which the server finds it. */
function isIn(state: (typeof accountStates)[number], now: number): RawBuilder<SqlBool> {
  const suspended = sql<SqlBool>`(accounts.status = 'suspended' or providers.status = 'suspended')`;
  const noPlan = sql`(accounts.plan_id is null and ${accessEnds} > ${now})`;
  const ended = sql`(${ends} <= ${now})`;
  const usedUp = sql`(plans.trial_message_limit is not null and accounts.trial_used >= plans.trial_message_limit)`;
  switch (state) {
    case 'suspended':
      return suspended;
    case 'ended':
      return sql`(not ${suspended} and ${ended})`;
    case 'no_plan':
      return sql`(not ${suspended} and ${noPlan})`;
    case 'trial_nearly_used':
      return sql`(not ${suspended} and not ${ended} and not ${usedUp} and coalesce(${trialNearlyUsed}, false))`;
    case 'trial_used_up':
      return sql`(not ${suspended} and not ${ended} and ${usedUp})`;
    case 'active':
      return sql`(not ${suspended} and not ${ended} and accounts.plan_id is not null and not ${usedUp})`;
  }
}
