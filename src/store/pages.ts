import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** Where in a list somebody is: at the row with this sort key and, among those with the same, this id. */
export interface Mark {
  readonly key: string | number;
  readonly id: string | number;
}

/** What sort keys and ids are: texts, or whole numbers. A database refuses to compare one with the other. */
export type KeyType = 'text' | 'number';

/** By what a list can be sorted: never null, so that every row has its place. */
export interface SortKey {
  readonly type: KeyType;
  readonly key: RawBuilder<string | number>;
}

export type Sorts = Readonly<Record<string, SortKey>>;

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

/** What a list is sorted by. The id decides between rows with the same key. */
interface Order {
  readonly key: RawBuilder<string | number>;
  readonly id: RawBuilder<string | number>;
}

/** Stands for a time that never comes. As large as a number can be that both databases and JavaScript hold exactly. */
export const never = sql.lit(Number.MAX_SAFE_INTEGER);

/** The marks of one page of the rows that fit: by a range of the sort key and not by counting rows, so that every page costs the same. */
export async function selectMarks<DB, TB extends keyof DB, O>(
  fitting: SelectQueryBuilder<DB, TB, O>,
  { key, id }: Order,
  { descending, from, limit }: ListRequest<string>,
): Promise<Omit<ListPage<Mark>, 'total'>> {
  const backwards = from?.direction === 'before';
  const falling = descending !== backwards;
  const direction = falling ? 'desc' : 'asc';
  let query = fitting.select([key.as('key'), id.as('id')]);
  if (from !== null) {
    const { mark } = from;
    query = query.where(sql<SqlBool>`(${key}, ${id}) ${sql.raw(falling ? '<' : '>')} (${mark.key}, ${mark.id})`);
  }
  const found = await query
    .orderBy(key, direction)
    .orderBy(id, direction)
    .limit(limit + 1)
    .execute();
  // The query selects nothing else, whatever `fitting` was typed as.
  const marks = (found as unknown as Mark[]).slice(0, limit);
  const more = found.length > limit;
  const rows = backwards ? marks.toReversed() : marks;
  const first = rows[0] ?? from?.mark ?? null;
  const last = rows.at(-1) ?? from?.mark ?? null;
  return {
    rows,
    next: backwards ? last : more ? last : null,
    previous: backwards ? (more ? first : null) : from === null ? null : first,
  };
}

/** A page of the rows that fit, as `rowsOf` reads them by their ids, with how many there are. */
export async function selectPage<DB, TB extends keyof DB, O, Row extends { readonly id: string }>(
  fitting: SelectQueryBuilder<DB, TB, O>,
  order: Order,
  request: ListRequest<string>,
  rowsOf: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<ListPage<Row>> {
  const { rows: marks, ...page } = await selectMarks(fitting, order, request);
  const rows = await rowsOf(marks.map(({ id }) => String(id)));
  return { ...page, rows: inOrder(marks, rows), total: await countRows(fitting) };
}

/** How many rows fit. */
export async function countRows<DB, TB extends keyof DB, O>(fitting: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const found = await fitting.select(sql<number>`count(*)`.as('n')).executeTakeFirst();
  return (found as { n: number } | undefined)?.n ?? 0;
}

/** The rows of a page in the order of its marks. Those that were deleted meanwhile are left out. */
export function inOrder<Row extends { readonly id: string | number }>(marks: readonly Mark[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return marks.flatMap(({ id }) => byId.get(id) ?? []);
}

/** Whether one of the columns holds the text, in any letter case as far as the database knows letters. */
export function like(columns: readonly Expression<unknown>[], search: string): Expression<SqlBool> {
  const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const either = columns.map(
    (column) =>
      sql<SqlBool>`lower(${column}) like ${pattern(search.toLowerCase())} escape '\\' or ${column} like ${pattern(search)} escape '\\'`,
  );
  return sql<SqlBool>`(${sql.join(either, sql` or `)})`;
}

/** Whether the column is one of the ids: one parameter however many there are. */
export function inList(column: RawBuilder<string | number>, ids: readonly string[]): RawBuilder<SqlBool> {
  if (ids.length === 0) return sql`(1 = 0)`;
  // Both databases have json_each, and both give the names of an object's members as texts.
  return sql`${column} in (select key from json_each(${JSON.stringify(Object.fromEntries(ids.map((id) => [id, 0])))}))`;
}
