import { type Kysely, sql } from 'kysely';
import { OperatorError } from '../../core/index.ts';

/** The table that a database has while an embedded one is being moved into it (store/move/target.ts). */
export const markTable = 'unfinished_move';

/** Throws OperatorError when the database is being filled by a move, or was left by one that was interrupted. */
export async function requireFinished<Tables>(db: Kysely<Tables>, database: string): Promise<void> {
  const { rows } = await sql`select 1 where to_regclass(${markTable}) is not null`.execute(db);
  if (rows.length === 0) return;
  throw new OperatorError(
    `the database ${database} holds an unfinished move; run gateway move again, which continues where it stopped, or use another database`,
  );
}
