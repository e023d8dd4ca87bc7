import type { ListView } from '../../../../src/portal/wire/listing.ts';

/** What there is none of: rows on this page, rows that fit the filters, or rows at all. null: there are rows. */
export function lackOf({ rows, total, next, previous }: ListView<unknown>, narrowed: boolean): 'on_page' | 'fitting' | 'at_all' | null {
  if (rows.length > 0) return null;
  // Where nothing is counted, the way to another page says that there are more.
  const others = total === null ? next !== null || previous !== null : total > 0;
  if (others) return 'on_page';
  return narrowed ? 'fitting' : 'at_all';
}
