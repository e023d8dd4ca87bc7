import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { SearchReach } from '../../people/index.ts';
import { type Database, type Db, like } from '../../store/index.ts';
import type { LooksLike } from '../looks-like.ts';

type WithAccounts = ExpressionBuilder<Database & { accounts: Database['accounts'] }, 'accounts'>;

/** Whether the account of a row is within reach. */
export function accountWithin({ providerIds, accountIds }: Pick<SearchReach, 'providerIds' | 'accountIds'>) {
  return (eb: WithAccounts): Expression<SqlBool> => {
    if (providerIds === null) return eb.lit(true);
    return eb.or([
      ...(providerIds.length === 0 ? [] : [eb('accounts.provider_id', 'in', providerIds)]),
      ...(accountIds.length === 0 ? [] : [eb('accounts.id', 'in', accountIds)]),
    ]);
  };
}

const wholeId = 36;

/** Whether an id is this one or begins with it; it has nothing but hexadecimal digits and dashes. */
const idBegins = (column: Expression<unknown>, id: string): Expression<SqlBool> =>
  id.length === wholeId ? sql<SqlBool>`${column} = ${id}` : sql<SqlBool>`${column} like ${`${id}%`}`;

const either = (wanted: readonly (Expression<SqlBool> | null)[]): Expression<SqlBool> | null => {
  const there = wanted.filter((one) => one !== null);
  return there.length === 0 ? null : sql<SqlBool>`(${sql.join(there, sql` or `)})`;
};

/** Numbers by id, by some of their digits, or by part of their label; newest first. */
export async function selectNumbersLike(db: Db, reach: SearchReach, { id, digits, words }: LooksLike, limit: number) {
  const wanted = either([
    id === null ? null : idBegins(sql.ref('instances.id'), id),
    digits === null ? null : sql<SqlBool>`instances.phone_number like ${`%${digits}%`}`,
    words === null ? null : like([sql.ref('instances.label')], words),
  ]);
  if (wanted === null) return [];
  return db
    .selectFrom('instances')
    .innerJoin('accounts', 'accounts.id', 'instances.account_id')
    .select(['instances.id', 'instances.label', 'instances.phone_number', 'instances.network'])
    .select(['accounts.id as account_id', 'accounts.name as account_name'])
    .where(wanted)
    .where(accountWithin(reach))
    .orderBy('instances.created_at', 'desc')
    .orderBy('instances.id', 'desc')
    .limit(limit)
    .execute();
}

/** Accounts by id or part of their name, newest first. */
export async function selectAccountsLike(db: Db, reach: SearchReach, { id, words }: LooksLike, limit: number) {
  const wanted = either([
    id === null ? null : idBegins(sql.ref('accounts.id'), id),
    words === null ? null : like([sql.ref('accounts.name')], words),
  ]);
  if (wanted === null) return [];
  return db
    .selectFrom('accounts')
    .innerJoin('providers', 'providers.id', 'accounts.provider_id')
    .select(['accounts.id', 'accounts.name', 'accounts.status', 'providers.name as provider_name'])
    .where(wanted)
    .where(accountWithin(reach))
    .orderBy('accounts.created_at', 'desc')
    .orderBy('accounts.id', 'desc')
    .limit(limit)
    .execute();
}

/** The names of those of these accounts that are within reach, by id. */
export async function selectNamesWithin(db: Db, reach: SearchReach, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('accounts')
    .select(['accounts.id', 'accounts.name'])
    .where('accounts.id', 'in', ids)
    .where(accountWithin(reach))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Keys by id, prefix, or part of prefix or label; newest first, those in use before the revoked. The command line's own are left out. */
export async function selectKeysLike(db: Db, reach: SearchReach, { id, keyPrefix, words }: LooksLike, limit: number) {
  const wanted = either([
    id === null ? null : idBegins(sql.ref('api_keys.id'), id),
    keyPrefix === null ? null : like([sql.ref('api_keys.prefix')], keyPrefix),
    words === null ? null : like([sql.ref('api_keys.prefix'), sql.ref('api_keys.label')], words),
  ]);
  if (wanted === null) return [];
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'api_keys.prefix', 'api_keys.label', 'api_keys.revoked_at'])
    .select(['accounts.id as account_id', 'accounts.name as account_name'])
    .where(wanted)
    .where('api_keys.expires_at', 'is', null)
    .where(accountWithin(reach))
    .orderBy(sql`case when api_keys.revoked_at is null then 0 else 1 end`)
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id', 'desc')
    .limit(limit)
    .execute();
}

/** Providers by id or part of their name, oldest first. */
export async function selectProvidersLike(db: Db, { id, words }: LooksLike, limit: number) {
  const wanted = either([
    id === null ? null : idBegins(sql.ref('providers.id'), id),
    words === null ? null : like([sql.ref('providers.name')], words),
  ]);
  if (wanted === null) return [];
  return db
    .selectFrom('providers')
    .select(['providers.id', 'providers.name'])
    .where(wanted)
    .orderBy('providers.created_at')
    .orderBy('providers.id')
    .limit(limit)
    .execute();
}
