export type Row = Readonly<Record<string, unknown>>;

/** What SQLite, PostgreSQL and MySQL differ in. */
export interface Driver {
  readonly usedAt: number | null;
  /** Runs a statement with these values, each written `?`. */
  run(sql: string, values?: readonly string[]): Promise<Row[]>;
  columns(table: string): Promise<readonly string[]>;
  stamp(): Promise<string>;
  isUsed(): Promise<boolean>;
  close(): Promise<void>;
}
