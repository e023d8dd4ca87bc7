import type Sqlite from 'better-sqlite3';
import type { RowsStatement, Statement } from '../statements.ts';

/** A statement of one row's values. */
export interface Prepared<Name extends string> {
  get<Row>(values: Readonly<Record<Name, unknown>>): Row | undefined;
  run(values: Readonly<Record<Name, unknown>>): Sqlite.RunResult;
}

/** Prepares the statements of a connection. */
export function createPrepare(database: Sqlite.Database) {
  return <Name extends string>(statement: Statement<Name>): Prepared<Name> => {
    const prepared = database.prepare(statement.sql);
    return {
      get: <Row>(values: Readonly<Record<Name, unknown>>) => prepared.get(statement.bind(values)) as Row | undefined,
      run: (values) => prepared.run(statement.bind(values)),
    };
  };
}

/** How many rows a statement takes at once; others are cut into these. */
const sizes = [16, 8, 4, 2, 1] as const;

/** What a statement of several rows has done; `lastRow`: the id of the last row it inserted, if it did. */
interface Changed {
  readonly changes: number;
  readonly lastRow: number;
}

/** Prepares a statement for any number of rows: calling SQLite costs about as much as a row. */
export function prepareRows<Name extends string>(database: Sqlite.Database, statementFor: (rows: number) => RowsStatement<Name>) {
  const statements = sizes.map((size) => {
    const { sql, bind } = statementFor(size);
    return { size, bind, prepared: database.prepare(sql) };
  });
  return {
    run(rows: readonly Readonly<Record<Name, unknown>>[]): Changed {
      let done = 0;
      let changes = 0;
      let lastRow = 0;
      for (const { size, bind, prepared } of statements) {
        for (; rows.length - done >= size; done += size) {
          const part = prepared.run(bind(rows, done));
          changes += part.changes;
          if (part.changes > 0) lastRow = Number(part.lastInsertRowid);
        }
      }
      return { changes, lastRow };
    },
  };
}
