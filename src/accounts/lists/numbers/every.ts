import type { Store } from '../../../store/index.ts';
import type { ListRequest } from '../list.ts';
import { type NumberFilter, type NumberSort, type NumberSummary, selectNumberPage } from './queries.ts';

const readAtOnce = 500;

/** All numbers that fit, as far as the store knows how they are, oldest first. */
export async function everyNumber({ db, dialect }: Store, filter: NumberFilter): Promise<NumberSummary[]> {
  const all: NumberSummary[] = [];
  for (let from: ListRequest<NumberSort>['from'] = null; ; ) {
    const part = { sort: 'created', descending: false, from, limit: readAtOnce } as const;
    const { rows, next } = await selectNumberPage(db, filter, { links: 'stored', dialect }, part);
    all.push(...rows);
    if (next === null) return all;
    from = { mark: next, direction: 'after' };
  }
}
