import { type Db, deleteReference, insertReference } from './queries.ts';
import { checkReference, quote } from './terms.ts';
import { Conflict } from './users/failures.ts';

/** Says what a provider calls an account in its own books; null: nothing. Throws OperatorError for a bad text, and Conflict when another of its accounts is called so. */
export async function setReference(trx: Db, account: { id: string; provider_id: string }, text: string | null): Promise<void> {
  await deleteReference(trx, account.id);
  if (text === null) return;
  const reference = checkReference(text);
  // The database decides, not a look beforehand: two at once cannot both find it free.
  if (!(await insertReference(trx, { account_id: account.id, provider_id: account.provider_id, reference })))
    throw new Conflict(`another account of the provider has the reference ${quote(reference)}`);
}
