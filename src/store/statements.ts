import type { Compilable } from 'kysely';

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
  readonly names: readonly Name[];
  /** The values in the order in which the statement wants them. */
  bind(values: Readonly<Record<Name, unknown>>): unknown[];
}

/**
 * Compiles a Kysely query once, so that building it costs nothing per call (design §4).
 * `value('x')` stands for a value given at run time; its type `never` fits any place in the query.
 */
export function compileOnce<Name extends string>(build: (value: (name: Name) => never) => Compilable): Statement<Name> {
  const { sql, parameters } = build((name) => new Marker(name) as never).compile();
  const names = parameters.map((parameter) => {
    if (!(parameter instanceof Marker)) throw new Error(`a constant must be written as sql.lit: ${sql}`);
    // Markers are made from Name only, just above.
    return parameter.name as Name;
  });
  return { sql, names, bind: (values) => names.map((name) => values[name]) };
}
