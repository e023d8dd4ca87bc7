import { storedId } from '../core/index.ts';
import type { Db } from '../store/index.ts';

/** Enough to name those that share a label. */
const most = 10;

/** The account's numbers with this id or label, oldest first. */
export const selectNamed = (db: Db, accountId: string, name: string): Promise<{ readonly id: string }[]> =>
  db
    .selectFrom('instances')
    .select('id')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('id', '=', storedId(name)), eb('label', '=', name)]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute();
