import { type Kysely, sql } from 'kysely';
import { OperatorError } from '../../core/index.ts';

/** The table that a database has from the end of a copy until the embedded database is marked as moved (store/move/target.ts). */
export const markTable = 'unfinished_move';

/** Throws OperatorError when the database was filled by a move that was interrupted before its last step. */
export async function requireFinished<Tables>(db: Kysely<Tables>, database: string): Promise<void> {
  const { rows } = await sql`select 1 where to_regclass(${markTable}) is not null`.execute(db);
  if (rows.length === 0) return;
  throw new OperatorError(`the database ${database} holds an unfinished move; run gateway move again, or use another database`);
}
