/** One array per column, in the order of the rows; a missing value is null. */
export function columnsOf<Column extends string>(columns: readonly Column[], rows: readonly Partial<Record<Column, unknown>>[]) {
  // Object.fromEntries forgets which names it was given.
  return Object.fromEntries(columns.map((column) => [column, rows.map((row) => row[column] ?? null)])) as Record<Column, unknown[]>;
}

/** The map's values in the order of their keys: batches that lock rows in one order never wait for each other. */
export function sorted<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
