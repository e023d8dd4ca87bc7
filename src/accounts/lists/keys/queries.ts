import { sql } from 'kysely';
import { type Db, type KeySummary, selectKeysOf } from '../../queries.ts';
import type { ListPage, ListRequest, Sorts } from '../list.ts';
import { countRows, inOrder, like, type Order, selectMarks } from '../queries.ts';

/** Which of an account's keys are wanted. */
export interface KeyFilter {
  readonly accountId: string;
  readonly search?: string | undefined;
  readonly state?: 'in_use' | 'revoked' | undefined;
}

export const keySorts = { created: 'number', label: 'text', used: 'number', revoked: 'number' } as const satisfies Sorts;
export type KeySort = keyof typeof keySorts;

const id = sql<string>`api_keys.id`;
const orders: Readonly<Record<KeySort, Order>> = {
  created: { key: sql`api_keys.created_at`, id },
  label: { key: sql`coalesce(lower(api_keys.label), '')`, id },
  used: { key: sql`coalesce(api_keys.last_used_at, 0)`, id },
  revoked: { key: sql`coalesce(api_keys.revoked_at, 0)`, id },
};

/** A page of an account's keys; never those that the command line makes for itself. */
export async function selectKeyPage(db: Db, filter: KeyFilter, request: ListRequest<KeySort>): Promise<ListPage<KeySummary>> {
  const fitting = fittingKeys(db, filter);
  const { rows: marks, ...page } = await selectMarks(fitting, orders[request.sort], request);
  const rows = await selectKeysOf(
    db,
    filter.accountId,
    marks.map((mark) => String(mark.id)),
  );
  return { ...page, rows: inOrder(marks, rows), total: await countRows(fitting) };
}

function fittingKeys(db: Db, { accountId, search, state }: KeyFilter) {
  let fitting = db.selectFrom('api_keys').where('api_keys.account_id', '=', accountId).where('api_keys.expires_at', 'is', null);
  if (state !== undefined) fitting = fitting.where('api_keys.revoked_at', state === 'in_use' ? 'is' : 'is not', null);
  if (search !== undefined) fitting = fitting.where((eb) => like([eb.ref('api_keys.label'), eb.ref('api_keys.prefix')], search));
  return fitting;
}
