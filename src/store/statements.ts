import type { Compilable, Kysely, RawBuilder } from 'kysely';

/** A placeholder in a statement that is compiled once and run with many values. */
class Marker {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A statement with its values' names in the order of its placeholders. */
export interface Statement<Name extends string> {
  readonly sql: string;
  /** The values in the order in which the statement wants them. */
  bind(values: Readonly<Record<Name, unknown>>): unknown[];
}

/** Stands for a value given at run time; its type fits any place in a query. */
export type Value<Name extends string> = (name: Name) => never;

/** Compiles a query once, so that building it costs nothing per call (design §4). */
export function compileOnce<Name extends string>(build: (value: Value<Name>) => Compilable): Statement<Name> {
  const { sql, parameters } = build((name) => new Marker(name) as never).compile();
  const names = parameters.map((parameter) => {
    if (!(parameter instanceof Marker)) throw new Error(`a constant must be written as sql.lit: ${sql}`);
    // Markers are made from Name only, just above.
    return parameter.name as Name;
  });
  return { sql, bind: (values) => names.map((name) => values[name]) };
}

/** The same for queries that are written as SQL. */
export function sqlCompiler<Tables>(db: Kysely<Tables>) {
  return <Name extends string>(build: (value: Value<Name>) => RawBuilder<unknown>): Statement<Name> =>
    compileOnce<Name>((value) => ({ compile: () => build(value).compile(db) }));
}

/** One array per column, in the order of the rows; a missing value is null. */
export function columnsOf<Column extends string>(columns: readonly Column[], rows: readonly Partial<Record<Column, unknown>>[]) {
  // Object.fromEntries forgets which names it was given.
  return Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column] ?? null)])) as Record<Column, unknown[]>;
}

/** The map's values in the order of their keys: batches that lock rows in one order never wait for each other. */
export function sorted<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
