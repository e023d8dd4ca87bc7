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

type AllPrepared<Statements> = {
  readonly [Name in keyof Statements]: Statements[Name] extends Statement<infer Value> ? Prepared<Value> : never;
};

/** Prepares each statement of a connection at its first use, because its tables may not exist before. */
export function prepareAll<Statements extends Readonly<Record<string, Statement<never>>>>(database: Preparing, statements: Statements) {
  const all = Object.entries(statements).map(([name, statement]) => [name, prepareOne(database, statement)]);
  // Object.fromEntries forgets which names it was given.
  return Object.fromEntries(all) as AllPrepared<Statements>;
}

function prepareOne(database: Preparing, { sql, bind }: Statement<never>): Prepared<never> {
  let prepared: ReturnType<Preparing['prepare']> | null = null;
  const ready = () => (prepared ??= database.prepare(sql));
  return {
    get: <Row>(values: Readonly<Record<never, unknown>>) => ready().get(bind(values)) as Row | undefined,
    run: (values) => ready().run(bind(values)),
  };
}
