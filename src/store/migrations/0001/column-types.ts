import type { Dialect } from '../../store.ts';

/** What the two databases call differently. */
export interface ColumnTypes {
  /** A number that the database assigns, each greater than those before it. */
  readonly sequence: string;
  readonly bytes: string;
  /** Times and flags as the sign-in library writes them. */
  readonly time: string;
  readonly flag: string;
}

export const columnTypes: Readonly<Record<Dialect, ColumnTypes>> = {
  sqlite: { sequence: 'integer primary key', bytes: 'blob', time: 'text', flag: 'integer' },
  postgres: {
    sequence: 'bigint generated always as identity primary key',
    bytes: 'bytea',
    time: 'timestamptz',
    flag: 'boolean',
  },
};
