import { type Insertable, sql } from 'kysely';
import { countRows, type Database, type Db, type ListPage, type ListRequest, like, type Sorts, selectPage } from '../../store/index.ts';

const keySummary = ['id', 'account_id', 'prefix', 'label', 'created_at', 'last_used_at', 'revoked_at'] as const;

/** A key as it may be shown: never its hash. */
export type KeySummary = Readonly<Pick<Database['api_keys'], (typeof keySummary)[number]>>;

export const insertKey = (db: Db, row: Insertable<Database['api_keys']>) => db.insertInto('api_keys').values(row).execute();

const keysOf = (db: Db, accountId: string) =>
  db.selectFrom('api_keys').select(keySummary).where('account_id', '=', accountId).where('expires_at', 'is', null);

export const selectKeys = (db: Db, accountId: string): Promise<KeySummary[]> =>
  keysOf(db, accountId).orderBy('created_at').orderBy('id').execute();

/** Those of the account's keys that have these ids, in no particular order. */
export const selectKeysOf = async (db: Db, accountId: string, ids: readonly string[]): Promise<KeySummary[]> =>
  ids.length === 0 ? [] : keysOf(db, accountId).where('id', 'in', ids).execute();

export const selectKey = (db: Db, id: string): Promise<KeySummary | undefined> =>
  db.selectFrom('api_keys').select(keySummary).where('id', '=', id).executeTakeFirst();

/** Revokes the key; what it was; null when there is none or it is revoked already. */
export async function setRevoked(db: Db, id: string, now: number): Promise<'lasting' | 'passing' | null> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('expires_at')
    .executeTakeFirst();
  if (revoked === undefined) return null;
  return revoked.expires_at === null ? 'lasting' : 'passing';
}

/** Forgets passing keys whose time is over. */
export async function deleteExpiredKeys(db: Db, now: number): Promise<void> {
  await db.deleteFrom('api_keys').where('expires_at', '<=', now).execute();
}

/** Which of an account's keys are wanted. */
export interface KeyFilter {
  readonly accountId: string;
  readonly search?: string | undefined;
  readonly state?: 'in_use' | 'revoked' | undefined;
}

const id = sql<string>`api_keys.id`;
export const keySorts = {
  created: { type: 'number', key: sql`api_keys.created_at` },
  label: { type: 'text', key: sql`coalesce(lower(api_keys.label), '')` },
  used: { type: 'number', key: sql`coalesce(api_keys.last_used_at, 0)` },
  revoked: { type: 'number', key: sql`coalesce(api_keys.revoked_at, 0)` },
} as const satisfies Sorts;

/** How many keys of an account are in use. */
export const countLiveKeys = (db: Db, accountId: string): Promise<number> => countRows(fittingKeys(db, { accountId, state: 'in_use' }));

/** A page of an account's keys; never those that the command line makes for itself. */
export async function selectKeyPage(db: Db, filter: KeyFilter, request: ListRequest<keyof typeof keySorts>): Promise<ListPage<KeySummary>> {
  return selectPage(fittingKeys(db, filter), { id, ...keySorts[request.sort] }, request, (ids) => selectKeysOf(db, filter.accountId, ids));
}

function fittingKeys(db: Db, { accountId, search, state }: KeyFilter) {
  let fitting = db.selectFrom('api_keys').where('api_keys.account_id', '=', accountId).where('api_keys.expires_at', 'is', null);
  if (state !== undefined) fitting = fitting.where('api_keys.revoked_at', state === 'in_use' ? 'is' : 'is not', null);
  if (search !== undefined) fitting = fitting.where((eb) => like([eb.ref('api_keys.label'), eb.ref('api_keys.prefix')], search));
  return fitting;
}
