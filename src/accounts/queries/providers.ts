import { sql, type Updateable } from 'kysely';
import {
  type Database,
  type Db,
  type Filter,
  type ListPage,
  type ListRequest,
  like,
  type ProviderRow,
  type Sorts,
  selectPage,
} from '../../store/index.ts';

export type ProviderColumns = Updateable<Database['providers']>;

export const insertProvider = (db: Db, row: ProviderRow) => db.insertInto('providers').values(row).execute();

export async function updateProviderRow(db: Db, id: string, columns: ProviderColumns): Promise<void> {
  await db.updateTable('providers').set(columns).where('id', '=', id).execute();
}

export const selectProviders = (db: Db): Promise<ProviderRow[]> =>
  db.selectFrom('providers').selectAll().orderBy('created_at').orderBy('id').execute();

export const selectProvider = (db: Db, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirst();

/** The provider's row, locked like `lockAccount`. */
export const lockProvider = (trx: Db, id: string): Promise<ProviderRow | undefined> =>
  trx.selectFrom('providers').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export interface ProviderSummary extends ProviderRow {
  readonly accounts: number;
  /** Numbers (instances) of all its accounts, linked or not. */
  readonly numbers: number;
}

export interface ProviderFilter extends Filter {
  readonly state?: ProviderRow['status'] | undefined;
}

const id = sql<string>`providers.id`;
const accounts = sql<number>`(select count(*) from accounts where accounts.provider_id = providers.id)`;
const numbers = sql<number>`(select count(*) from instances join accounts on accounts.id = instances.account_id where accounts.provider_id = providers.id)`;

export const providerSorts = {
  created: { type: 'number', key: sql`providers.created_at` },
  name: { type: 'text', key: sql`lower(providers.name)` },
  accounts: { type: 'number', key: accounts },
  numbers: { type: 'number', key: numbers },
} as const satisfies Sorts;

export async function selectProviderPage(
  db: Db,
  filter: ProviderFilter,
  request: ListRequest<keyof typeof providerSorts>,
): Promise<ListPage<ProviderSummary>> {
  return selectPage(fittingProviders(db, filter), { id, ...providerSorts[request.sort] }, request, (ids) =>
    selectProviderSummaries(db, ids),
  );
}

/** These providers with what belongs to them, in no particular order. */
export async function selectProviderSummaries(db: Db, ids: readonly string[]): Promise<ProviderSummary[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('providers')
    .selectAll()
    .select([accounts.as('accounts'), numbers.as('numbers')])
    .where('providers.id', 'in', ids)
    .execute();
}

function fittingProviders(db: Db, { providerIds, search, state }: ProviderFilter) {
  let fitting = db.selectFrom('providers');
  if (providerIds !== null) fitting = fitting.where('providers.id', 'in', providerIds);
  if (state !== undefined) fitting = fitting.where('providers.status', '=', state);
  if (search !== undefined)
    fitting = fitting.where((eb) => eb.or([like([eb.ref('providers.name')], search), eb('providers.id', '=', search.toLowerCase())]));
  return fitting;
}
