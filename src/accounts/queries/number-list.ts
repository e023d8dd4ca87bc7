import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { lastingRestrictions } from '../../networks/index.ts';
import {
  countRows,
  type Db,
  type Filter,
  type InstanceRow,
  inList,
  type LinkStatus,
  type ListPage,
  type ListRequest,
  like,
  type Sorts,
  selectPage,
} from '../../store/index.ts';
import { looksLike } from '../looks-like.ts';

/**
 * How the connections of numbers are. `reported`: as their servers reported to the store. `stored`: nobody knows; a number that has its credentials counts as
 * connected. Otherwise those that are connected and those that connect.
 */
export type Connections = 'reported' | 'stored' | { readonly open: readonly string[]; readonly connecting: readonly string[] };

export interface NumberSummary extends InstanceRow {
  readonly account_name: string;
}

/** How a number is for the person who looks after it, as `standingOf` of the sessions says it. */
export type ListedStanding = 'connected' | 'reconnecting' | 'pairing' | 'never_linked' | 'needs_person';

export interface NumberFilter extends Filter {
  readonly accountId?: string | undefined;
  readonly network?: string | undefined;
  readonly standing?: ListedStanding | undefined;
  readonly status?: LinkStatus | undefined;
  /** The reason of a restriction that is in force, else the event that last changed whether it is connected; `restricted` for any restriction. */
  readonly reason?: string | undefined;
  readonly now: number;
}

const id = sql<string>`instances.id`;
export const numberSorts = {
  created: { type: 'number', key: sql`instances.created_at` },
  label: { type: 'text', key: sql`coalesce(lower(instances.label), '')` },
  number: { type: 'text', key: sql`coalesce(instances.phone_number, '')` },
  account: { type: 'text', key: sql`lower(accounts.name)` },
  since: { type: 'number', key: sql`coalesce(instances.state_at, instances.created_at)` },
} as const satisfies Sorts;
export type NumberSort = keyof typeof numberSorts;

export async function selectNumberPage(
  db: Db,
  filter: NumberFilter,
  connections: Connections,
  request: ListRequest<NumberSort>,
): Promise<ListPage<NumberSummary>> {
  return selectPage(fittingNumbers(db, filter, connections), { id, ...numberSorts[request.sort] }, request, (ids) =>
    selectNumbers(db, ids, filter),
  );
}

/** How many numbers fit. */
export const countNumbers = (db: Db, filter: NumberFilter, connections: Connections): Promise<number> =>
  countRows(fittingNumbers(db, filter, connections));

/** How many numbers fit for each reason, and since when the first of them is so. null: neither a restriction nor an event. */
export async function selectReasons(
  db: Db,
  filter: NumberFilter,
  connections: Connections,
): Promise<readonly { readonly reason: string | null; readonly count: number; readonly since: number | null }[]> {
  const reason = sql<string | null>`case when ${isRestricted(filter.now)} then instances.restriction_reason else instances.state_event end`;
  const rows = await fittingNumbers(db, filter, connections)
    .select((eb) => [reason.as('reason_now'), eb.fn.countAll<number>().as('count'), eb.fn.min('instances.state_at').as('since')])
    // The same parameters would be others in a second expression.
    .groupBy(sql.ref('reason_now'))
    .execute();
  return rows.map(({ reason_now, ...found }) => ({ reason: reason_now, ...found }));
}

/** Those of these numbers that are within reach, in no particular order. */
export async function selectNumbers(
  db: Db,
  ids: readonly string[],
  { providerIds }: Pick<Filter, 'providerIds'>,
): Promise<NumberSummary[]> {
  if (ids.length === 0) return [];
  let numbers = db
    .selectFrom('instances')
    .innerJoin('accounts', 'accounts.id', 'instances.account_id')
    .selectAll('instances')
    .select('accounts.name as account_name')
    .where('instances.id', 'in', ids);
  if (providerIds !== null) numbers = numbers.where('accounts.provider_id', 'in', providerIds);
  return numbers.execute();
}

function fittingNumbers(db: Db, filter: NumberFilter, connections: Connections) {
  const { providerIds, accountId, search, network, standing, status, reason, now } = filter;
  let fitting = db.selectFrom('instances').innerJoin('accounts', 'accounts.id', 'instances.account_id');
  if (providerIds !== null) fitting = fitting.where('accounts.provider_id', 'in', providerIds);
  if (accountId !== undefined) fitting = fitting.where('instances.account_id', '=', accountId);
  if (network !== undefined) fitting = fitting.where('instances.network', '=', network);
  if (reason !== undefined) fitting = fitting.where(isBecauseOf(reason, now));
  if (status !== undefined) fitting = fitting.where(hasStatus(status, connections));
  if (standing !== undefined) fitting = fitting.where(stands(standing, connections, now));
  if (search !== undefined) {
    const { digits } = looksLike(search);
    fitting = fitting.where((eb) =>
      eb.or([
        like([eb.ref('instances.label'), eb.ref('instances.phone_number'), eb.ref('accounts.name')], search),
        ...(digits === null ? [] : [like([eb.ref('instances.phone_number')], digits)]),
        eb('instances.id', '=', search.toLowerCase()),
        eb('accounts.id', '=', search.toLowerCase()),
      ]),
    );
  }
  return fitting;
}

/** Whether a row of `instances` stands so, as `standingOf` of the sessions says it. */
export function stands(standing: ListedStanding, connections: Connections, now: number): RawBuilder<SqlBool> {
  const is = (status: LinkStatus) => hasStatus(status, connections);
  const linked = sql<SqlBool>`instances.phone_number is not null`;
  const unlinked = sql<SqlBool>`instances.phone_number is null`;
  const waits = sql<SqlBool>`(coalesce(instances.restriction_reason in (${sql.join(lastingRestrictions)}), false) and ${inForce(now)})`;
  switch (standing) {
    case 'connected':
      return is('open');
    case 'pairing':
      return sql`(${unlinked} and ${is('connecting')})`;
    case 'never_linked':
      return sql`(${unlinked} and ${is('close')})`;
    case 'reconnecting':
      return sql`(${linked} and ${is('connecting')} and not ${waits})`;
    case 'needs_person':
      return sql`(${linked} and (${is('close')} or (${is('connecting')} and ${waits})))`;
  }
}

/** Each side has its index. */
function isBecauseOf(reason: string, now: number): RawBuilder<SqlBool> {
  const restricted = isRestricted(now);
  if (reason === 'restricted') return restricted;
  return sql`((instances.restriction_reason = ${reason} and ${inForce(now)}) or (instances.state_event = ${reason} and not ${restricted}))`;
}

const isRestricted = (now: number): RawBuilder<SqlBool> => sql`(instances.restriction_reason is not null and ${inForce(now)})`;

const inForce = (now: number): RawBuilder<SqlBool> => sql`(instances.restriction_until is null or instances.restriction_until > ${now})`;

function hasStatus(status: LinkStatus, connections: Connections): RawBuilder<SqlBool> {
  if (connections === 'reported') {
    const reported = sql`(select leases.status from leases where leases.instance_id = instances.id and leases.node_id is not null)`;
    return sql`coalesce(${reported}, 'close') = ${status}`;
  }
  if (connections === 'stored') {
    const waits = sql`coalesce(instances.restriction_reason in (${sql.join(lastingRestrictions)}), false)`;
    const open = sql<SqlBool>`(instances.linked = 1 and not ${waits})`;
    return status === 'open' ? open : status === 'close' ? sql`(not ${open})` : sql`(1 = 0)`;
  }
  switch (status) {
    case 'open':
      return inList(id, connections.open);
    case 'connecting':
      return inList(id, connections.connecting);
    case 'close':
      return sql`(not ${inList(id, connections.open)} and not ${inList(id, connections.connecting)})`;
  }
}
