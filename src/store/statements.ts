import type { Compilable } from 'kysely';

/** A placeholder in a statement that is compiled once and run with many values. */
class Marker {
  readonly name: string;
  readonly row: number;
  constructor(name: string, row: number) {
    this.name = name;
    this.row = row;
  }
}

/** A statement with its values' names in the order of its placeholders. */
export interface Statement<Name extends string> {
  readonly sql: string;
  readonly names: readonly Name[];
  /** The values in the order in which the statement wants them. */
  bind(values: Readonly<Record<Name, unknown>>): unknown[];
}

/** A statement that takes the values of several rows at once. */
export interface RowsStatement<Name extends string> {
  readonly sql: string;
  /** The values in the order in which the statement wants them, of as many rows as it takes, from the one with the number `first`. */
  bind(rows: readonly Readonly<Record<Name, unknown>>[], first: number): unknown[];
}

/**
 * Compiles a Kysely query once, so that building it costs nothing per call (design §4).
 * `value('x')` stands for a value given at run time; its type `never` fits any place in the query.
 */
export function compileOnce<Name extends string>(build: (value: (name: Name) => never) => Compilable): Statement<Name> {
  const { sql, markers } = compileMarked<Name>((value) => build((name) => value(name, 0)));
  const names = markers.map(({ name }) => name);
  return { sql, names, bind: (values) => names.map((name) => values[name]) };
}

/** The same for a statement of several rows: `value('x', 2)` stands for the value of the third one. */
export function compileForRows<Name extends string>(build: (value: (name: Name, row: number) => never) => Compilable): RowsStatement<Name> {
  const { sql, markers } = compileMarked(build);
  return { sql, bind: (rows, first) => markers.map(({ name, row }) => rows[first + row]?.[name]) };
}

function compileMarked<Name extends string>(build: (value: (name: Name, row: number) => never) => Compilable) {
  const compiled = build((name, row) => new Marker(name, row) as never).compile();
  const markers = compiled.parameters.map((parameter) => {
    if (!(parameter instanceof Marker)) throw new Error(`a constant must be written as sql.lit: ${compiled.sql}`);
    // Markers are made from Name only, just above.
    return { name: parameter.name as Name, row: parameter.row };
  });
  return { sql: compiled.sql, markers };
}
