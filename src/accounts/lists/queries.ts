import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Dialect } from '../../store/index.ts';
import type { ListPage, ListRequest, Mark } from './list.ts';

/** What a list is sorted by: never null, so that every row has its place. The id decides between rows with the same key. */
export interface Order {
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

/** How many rows fit. A count is a bigint, which may come as text. */
export async function countRows<DB, TB extends keyof DB, O>(fitting: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const found = await fitting.select(sql<unknown>`count(*)`.as('n')).executeTakeFirst();
  return Number((found as { n: unknown } | undefined)?.n ?? 0);
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
export function inList(column: RawBuilder<string | number>, ids: readonly string[], dialect: Dialect): RawBuilder<SqlBool> {
  if (ids.length === 0) return sql`(1 = 0)`;
  const json = JSON.stringify(ids);
  const values = dialect === 'sqlite' ? sql`json_each(${json})` : sql`json_array_elements_text(${json}::json) as value`;
  return sql`${column} in (select value from ${values})`;
}
