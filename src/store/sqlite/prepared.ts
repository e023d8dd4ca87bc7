import type Sqlite from 'better-sqlite3';
import type { Statement } from '../statements.ts';

/** A statement of one row's values. */
export interface Prepared<Name extends string> {
  get<Row>(values: Readonly<Record<Name, unknown>>): Row | undefined;
  run(values: Readonly<Record<Name, unknown>>): Sqlite.RunResult;
}

/** Prepares each statement of a connection at its first use, because its tables may not exist before. */
export function createPrepare(database: Sqlite.Database) {
  return <Name extends string>(statement: Statement<Name>): Prepared<Name> => {
    let prepared: Sqlite.Statement | null = null;
    const ready = () => (prepared ??= database.prepare(statement.sql));
    return {
      get: <Row>(values: Readonly<Record<Name, unknown>>) => ready().get(statement.bind(values)) as Row | undefined,
      run: (values) => ready().run(statement.bind(values)),
    };
  };
}
