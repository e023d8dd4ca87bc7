import type { Db } from '../store/index.ts';

/** Those of these idempotency keys that the account has used. */
export async function selectUsedKeys(db: Db, accountId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('claims').select('key').where('account_id', '=', accountId).where('key', 'in', keys).execute();
  return rows.map(({ key }) => key);
}
