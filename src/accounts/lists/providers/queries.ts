import { sql } from 'kysely';
import type { ProviderRow } from '../../../store/index.ts';
import type { Db } from '../../queries.ts';
import type { Filter, ListPage, ListRequest, Sorts } from '../list.ts';
import { countRows, inOrder, like, type Order, selectMarks } from '../queries.ts';

/** A provider with what belongs to it. */
export interface ProviderSummary extends ProviderRow {
  readonly accounts: number;
  /** Numbers (instances) of all its accounts, linked or not. */
  readonly numbers: number;
}

/** Which providers are wanted. */
export interface ProviderFilter extends Filter {
  readonly state?: ProviderRow['status'] | undefined;
}

export const providerSorts = { created: 'number', name: 'text', accounts: 'number', numbers: 'number' } as const satisfies Sorts;
export type ProviderSort = keyof typeof providerSorts;

const id = sql<string>`providers.id`;
const accounts = sql<number>`(select count(*) from accounts where accounts.provider_id = providers.id)`;
const numbers = sql<number>`(select count(*) from instances join accounts on accounts.id = instances.account_id where accounts.provider_id = providers.id)`;

const orders: Readonly<Record<ProviderSort, Order>> = {
  created: { key: sql`providers.created_at`, id },
  name: { key: sql`lower(providers.name)`, id },
  accounts: { key: accounts, id },
  numbers: { key: numbers, id },
};

/** A page of the providers that fit. */
export async function selectProviderPage(
  db: Db,
  filter: ProviderFilter,
  request: ListRequest<ProviderSort>,
): Promise<ListPage<ProviderSummary>> {
  const fitting = fittingProviders(db, filter);
  const { rows: marks, ...page } = await selectMarks(fitting, orders[request.sort], request);
  const rows = await selectProviderSummaries(
    db,
    marks.map((mark) => String(mark.id)),
  );
  return { ...page, rows: inOrder(marks, rows), total: await countRows(fitting) };
}

/** These providers with what belongs to them, in no particular order. */
export async function selectProviderSummaries(db: Db, ids: readonly string[]): Promise<ProviderSummary[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('providers')
    .selectAll()
    .select([accounts.as('accounts'), numbers.as('numbers')])
    .where('providers.id', 'in', ids)
    .execute();
  // A count is a bigint, which may come as text.
  return rows.map((row) => ({ ...row, accounts: Number(row.accounts), numbers: Number(row.numbers) }));
}

function fittingProviders(db: Db, { providerIds, search, state }: ProviderFilter) {
  let fitting = db.selectFrom('providers');
  if (providerIds !== null) fitting = fitting.where('providers.id', 'in', providerIds);
  if (state !== undefined) fitting = fitting.where('providers.status', '=', state);
  if (search !== undefined)
    fitting = fitting.where((eb) => eb.or([like([eb.ref('providers.name')], search), eb('providers.id', '=', search.toLowerCase())]));
  return fitting;
}
