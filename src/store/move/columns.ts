import { hash } from 'node:crypto';

/** A value as SQLite gives it, whole numbers as bigint. */
export type SqliteValue = string | bigint | number | Buffer | null;

/** A column that both databases have, with its type in PostgreSQL. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** How a value of one type is written into PostgreSQL, and the text that stands for it in a digest: the same text, made by either side. */
interface Form {
  toPostgres(value: SqliteValue): unknown;
  text(value: SqliteValue): string;
  /** `text` as an expression of PostgreSQL's. */
  textIn(column: string): string;
}

const asIs: Form = { toPostgres: String, text: String, textIn: (column) => `${column}::text` };

/** The types that migrations use. Another one is refused, until it is said here how the two databases hold it. */
const forms = {
  bigint: asIs,
  integer: asIs,
  // Both write a fraction as shortly as it can be read back.
  'double precision': asIs,
  // Text may hold what separates the columns of a row, so its length is in front of it.
  text: {
    toPostgres: String,
    text: (value) => `${Buffer.byteLength(String(value))}:${value}`,
    textIn: (column) => `octet_length(convert_to(${column}, 'UTF8')) || ':' || ${column}`,
  },
  // 0 and 1 in SQLite, which PostgreSQL reads as false and true.
  boolean: { toPostgres: String, text: String, textIn: (column) => `${column}::integer::text` },
  bytea: {
    toPostgres: (value) => value,
    text: (value) => hash('sha256', value instanceof Buffer ? value : String(value), 'hex'),
    textIn: (column) => `encode(sha256(${column}), 'hex')`,
  },
  // ISO text in SQLite.
  'timestamp with time zone': {
    toPostgres: String,
    text: (value) => String(Date.parse(String(value))),
    textIn: (column) => `(extract(epoch from ${column}) * 1000)::bigint::text`,
  },
} satisfies Record<string, Form>;

type ColumnType = keyof typeof forms;

/** Whether it is known how both databases hold this type of PostgreSQL's. */
export const isColumnType = (type: string): type is ColumnType => Object.hasOwn(forms, type);

/** What PostgreSQL is given for a value. */
export function toPostgres({ type }: Column, value: SqliteValue): unknown {
  return value === null ? null : forms[type].toPostgres(value);
}

/** How many bytes a value takes, about. */
export function sizeOf(value: SqliteValue): number {
  return typeof value === 'string' || value instanceof Buffer ? value.length : 8;
}

/** A name as both databases quote it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The sums are kept below this, so that they are exact in numbers. */
const modulus = 2 ** 48;
const words = 3;

/**
 * The number of rows of a table and the sums of three parts of each row's SHA-256: equal only for the same rows, in whatever order they are
 * read, and it can go on where it was written down.
 */
export class Digest {
  readonly #sums: number[];
  rows: number;

  /** Empty, or as `toString` gave it. */
  constructor(written = '0:0:0:0') {
    const [rows = 0, ...sums] = written.split(':').map(Number);
    this.rows = rows;
    this.#sums = sums;
  }

  add(columns: readonly Column[], values: readonly SqliteValue[]): void {
    const text = columns.map(({ type }, place) => {
      const value = values[place] ?? null;
      return value === null ? '-' : forms[type].text(value);
    });
    const row = hash('sha256', text.join(' '), 'buffer');
    for (let word = 0; word < words; word++) this.#sums[word] = ((this.#sums[word] ?? 0) + row.readUIntBE(word * 6, 6)) % modulus;
    this.rows++;
  }

  toString(): string {
    return [this.rows, ...this.#sums].join(':');
  }
}

/** The query that gives the text of a table's Digest as `digest`. */
export function digestQuery(table: string, columns: readonly Column[]): string {
  const row = columns.map(({ name, type }) => `coalesce(${forms[type].textIn(quoted(name))}, '-')`).join(` || ' ' || `);
  const sums = Array.from({ length: words }, (_, word) => {
    const part = `('x' || substr(hash, ${word * 12 + 1}, 12))::bit(48)::bigint`;
    return `coalesce(mod(sum(${part}), ${modulus}), 0)::bigint`;
  });
  return `select concat_ws(':', count(*), ${sums.join(', ')}) as digest
    from (select encode(sha256(convert_to(${row}, 'UTF8')), 'hex') as hash from ${quoted(table)}) as hashes`;
}
