/** Where in a list somebody is: at the row with this sort key and, among those with the same, this id. */
export interface Mark {
  readonly key: string | number;
  readonly id: string | number;
}

/** What sort keys and ids are: texts, or whole numbers. A database refuses to compare one with the other. */
export type KeyType = 'text' | 'number';

/** By what a list can be sorted. */
export type Sorts = Readonly<Record<string, KeyType>>;

/** Which part of a list is wanted. */
export interface ListRequest<Sort extends string> {
  readonly sort: Sort;
  readonly descending: boolean;
  /** The page after this row, or before it; null: the first page. Rows that come or go meanwhile move no other row to another page. */
  readonly from: { readonly mark: Mark; readonly direction: 'after' | 'before' } | null;
  readonly limit: number;
}

/** A part of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** How many rows fit altogether; null where counting them would take long. */
  readonly total: number | null;
  /** The last row, when more follow. */
  readonly next: Mark | null;
  /** The first row, when more come before. */
  readonly previous: Mark | null;
}

/** What is wanted of what somebody may see. */
export interface Filter {
  /** Only objects of these providers; null: all. */
  readonly providerIds: readonly string[] | null;
  /** Part of a name, label, number or address, or a whole id; absent: everything. */
  readonly search?: string | undefined;
}

/**
 * How the links of numbers are. `told`: as their servers told the store. `stored`: nobody knows; a number that has its credentials counts as
 * connected. Otherwise those that are connected and those that connect.
 */
export type Links = 'told' | 'stored' | { readonly open: readonly string[]; readonly connecting: readonly string[] };
