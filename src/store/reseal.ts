import { type RawBuilder, sql } from 'kysely';
import type { Vault } from '../core/index.ts';
import type { Db, Store } from './store.ts';

/** Where the store keeps what the vault has sealed. */
export interface SealedColumn {
  readonly table: 'credentials' | 'sent_messages' | 'instances' | 'alert_targets';
  readonly column: string;
  /** The columns that tell its rows apart; there is an index on them in this order. */
  readonly key: readonly string[];
  /** What the value of the row with this key is sealed for. */
  context(...key: string[]): string;
}

/** How many rows are read at a time, and their values replaced. */
const most = 200;

/**
 * Seals what these columns hold with the vault's present key, as far as another one has sealed it. Servers may run; what they write meanwhile is not
 * touched. Resolves to how many values were replaced, and how many no key opens.
 */
export async function reseal(store: Store, vault: Vault, columns: readonly SealedColumn[]) {
  const done = { resealed: 0, unreadable: 0 };
  for (const { table, column, key, context } of columns) {
    const at = sql.join(key.map((name) => sql.ref(name)));
    // The first byte of a sealed value is the number of its key. As a condition it would have one statement look for an old value in the whole table.
    const old = sql`case when substr(${sql.ref(column)}, 1, 1) <> ${Buffer.of(vault.current)} then ${sql.ref(column)} end`;
    for (let last: readonly string[] | null = null; ; ) {
      const behind: RawBuilder<unknown> = last === null ? sql`` : sql`where (${at}) > (${sql.join(last)})`;
      const { rows } = await sql<Record<string, string> & { readonly sealed: Buffer | null }>`
        select ${at}, ${old} as sealed from ${sql.table(table)} ${behind} order by ${at} limit ${sql.lit(most)}`.execute(store.db);
      const read = rows.map((row) => ({ sealed: row.sealed, values: key.map((name) => row[name] ?? '') }));
      const found = read.flatMap(({ sealed, values }) => (sealed === null ? [] : [{ sealed, values }]));
      const replaceAll = async (db: Db) => {
        for (const { sealed, values } of found) {
          let by: Buffer;
          try {
            by = vault.seal(vault.open(sealed, context(...values)), context(...values));
          } catch {
            // It stays as it is: no key decrypts it, neither the old nor the new one.
            done.unreadable++;
            continue;
          }
          done.resealed++;
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${by}
            where (${at}) = (${sql.join(values)}) and ${sql.ref(column)} = ${sealed}`.execute(db);
        }
      };
      // The embedded store waits for the disk once for all of them. On PostgreSQL nobody may wait for a row behind a row that is waited for.
      if (found.length > 0) await (store.dialect === 'sqlite' ? store.transaction(replaceAll) : replaceAll(store.db));
      last = read.at(-1)?.values ?? null;
      if (read.length < most) break;
    }
  }
  return done;
}
