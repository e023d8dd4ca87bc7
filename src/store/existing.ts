import { OperatorError, quote, storedId } from '../core/index.ts';
import type { Db } from './store.ts';

/** Throws OperatorError unless there is such an account; else its id as stored. */
export async function existingAccount(db: Db, id: string): Promise<string> {
  const stored = storedId(id);
  if ((await selectProviderOf(db, stored)) === null) throw unknownAccount(id);
  return stored;
}

/** Throws OperatorError unless there is such a provider; else its id as stored. */
export async function existingProvider(db: Db, id: string): Promise<string> {
  const stored = storedId(id);
  if ((await db.selectFrom('providers').select('id').where('id', '=', stored).executeTakeFirst()) === undefined) throw unknownProvider(id);
  return stored;
}

/** The provider that the account belongs to; null: there is no such account. */
export async function selectProviderOf(db: Db, accountId: string): Promise<string | null> {
  const account = await db.selectFrom('accounts').select('provider_id').where('id', '=', accountId).executeTakeFirst();
  return account?.provider_id ?? null;
}

export function unknownAccount(id: string): OperatorError {
  return new OperatorError(`there is no account ${quote(id)}`);
}

export function unknownProvider(id: string): OperatorError {
  return new OperatorError(`there is no provider ${quote(id)}`, { field: 'provider_id' });
}

/** Whether the database has refused a row because another one has a value that only one may have. */
export function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === '23505';
}
