import type Sqlite from 'better-sqlite3';
import type { Statement } from '../statements.ts';

/** A statement of one row's values. */
export interface Prepared<Name extends string> {
  get<Row>(values: Readonly<Record<Name, unknown>>): Row | undefined;
  run(values: Readonly<Record<Name, unknown>>): Pick<Sqlite.RunResult, 'changes'>;
}

/** The part of a connection that is used here. */
export interface Preparing {
  prepare(sql: string): { get(values: unknown[]): unknown; run(values: unknown[]): Pick<Sqlite.RunResult, 'changes'> };
}

/** Prepares each statement of a connection at its first use, because its tables may not exist before. */
export function createPrepare(database: Preparing) {
  return <Name extends string>(statement: Statement<Name>): Prepared<Name> => {
    let prepared: ReturnType<Preparing['prepare']> | null = null;
    const ready = () => (prepared ??= database.prepare(statement.sql));
    return {
      get: <Row>(values: Readonly<Record<Name, unknown>>) => ready().get(statement.bind(values)) as Row | undefined,
      run: (values) => ready().run(statement.bind(values)),
    };
  };
}
