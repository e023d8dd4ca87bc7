import { z } from 'zod';
import type { ListRequest, SortKey } from '../../store/index.ts';
import { limit } from '../fields.ts';
import { readCursor } from './cursor.ts';

const usualRows = 50;
const mostRows = 200;

const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,2000}$/, { error: 'must be what an earlier page gave' })
  .optional();

/** The query of every list: its order, where the page begins, and the filters of this list. */
export function listQuery<Sort extends string, Filters extends z.ZodRawShape>(
  sorts: Readonly<Record<Sort, SortKey>>,
  usual: Sort | `-${Sort}`,
  filters: Filters,
) {
  // Keys of an object are typed as texts.
  const ways = (Object.keys(sorts) as Sort[]).flatMap((sort) => [sort, `-${sort}` as const]);
  return z.object({
    ...filters,
    sort: z
      .enum(ways as [Sort | `-${Sort}`, ...(Sort | `-${Sort}`)[]], { error: `must be one of ${ways.join(', ')}` })
      .default(usual as never),
    after: cursor,
    before: cursor,
    limit: limit(mostRows, usualRows),
  });
}

/** What is asked of a list, whatever its filters. */
export interface Asked {
  readonly sort: string;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Which part of the list the query wants; throws invalid_request for a place that no page gave. `before` counts where both are given. */
export function listRequest<Sort extends string>(
  { sort, after, before, limit: rows }: Asked,
  { sorts }: { readonly sorts: Readonly<Record<Sort, SortKey>> },
): ListRequest<Sort> {
  const descending = sort.startsWith('-');
  // One of the words that `listQuery` lets in.
  const by = (descending ? sort.slice(1) : sort) as Sort;
  const order = { sort, key: sorts[by].type };
  const from =
    before !== undefined
      ? { mark: readCursor(before, order, 'before'), direction: 'before' as const }
      : after !== undefined
        ? { mark: readCursor(after, order, 'after'), direction: 'after' as const }
        : null;
  return { sort: by, descending, from, limit: rows };
}
