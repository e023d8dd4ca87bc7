import type { Insertable } from 'kysely';
import type { Database, Store } from '../../src/store/index.ts';

/** Far below what both databases take in one statement: 32,766 parameters on SQLite, 65,535 on PostgreSQL. */
const mostParameters = 8_000;

/** Adds rows, many with each statement and many statements with each transaction. */
export async function insertAll<Table extends keyof Database>(
  store: Store,
  table: Table,
  rows: Iterable<Insertable<Database[Table]>>,
  onProgress: (count: number) => void = () => undefined,
): Promise<void> {
  let count = 0;
  const waiting = rows[Symbol.iterator]();
  for (let ended = false; !ended; onProgress(count)) {
    await store.transaction(async (trx) => {
      for (let statement = 0; statement < 20 && !ended; statement++) {
        const part: Insertable<Database[Table]>[] = [];
        let parameters = 0;
        while (parameters < mostParameters) {
          const { value, done } = waiting.next();
          if (done === true) {
            ended = true;
            break;
          }
          part.push(value);
          parameters += Object.keys(value).length;
        }
        if (part.length > 0) await trx.insertInto(table).values(part).execute();
        count += part.length;
      }
    });
  }
}
