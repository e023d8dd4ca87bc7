import { sql } from 'kysely';
import type { OneTimeLinkRow } from '../../../store/index.ts';
import type { Db } from '../../queries.ts';
import type { Filter, ListPage, ListRequest, Sorts } from '../list.ts';
import { countRows, inOrder, like, type Order, selectMarks } from '../queries.ts';

/** An unused invitation with the name of where it leads. */
export interface InvitationSummary extends OneTimeLinkRow {
  readonly leads_to: string | null;
}

/** Which of the invitations that may be used now are wanted. */
export interface InvitationFilter extends Filter {
  readonly role?: OneTimeLinkRow['role'] | undefined;
  readonly now: number;
}

export const invitationSorts = { created: 'number', email: 'text', expires: 'number' } as const satisfies Sorts;
export type InvitationSort = keyof typeof invitationSorts;

const id = sql<string>`one_time_links.id`;
const orders: Readonly<Record<InvitationSort, Order>> = {
  created: { key: sql`one_time_links.created_at`, id },
  email: { key: sql`one_time_links.email`, id },
  expires: { key: sql`one_time_links.expires_at`, id },
};

/** A page of the invitations that fit. */
export async function selectInvitationPage(
  db: Db,
  filter: InvitationFilter,
  request: ListRequest<InvitationSort>,
): Promise<ListPage<InvitationSummary>> {
  const fitting = fittingInvitations(db, filter);
  const { rows: marks, ...page } = await selectMarks(fitting, orders[request.sort], request);
  const ids = marks.map((mark) => String(mark.id));
  const rows = ids.length === 0 ? [] : await withPlace(usable(db, filter.now).where('one_time_links.id', 'in', ids)).execute();
  return { ...page, rows: inOrder(marks, rows), total: await countRows(fitting) };
}

/** The invitations to an account, newest first: no more than the people that one account may have. */
export function selectInvitationsOf(db: Db, accountId: string, now: number): Promise<InvitationSummary[]> {
  return withPlace(usable(db, now).where('one_time_links.account_id', '=', accountId))
    .orderBy('one_time_links.created_at', 'desc')
    .orderBy('one_time_links.id', 'desc')
    .execute();
}

/** An invitation with this id, whatever became of it. */
export const selectAnyInvitation = (db: Db, id: string): Promise<InvitationSummary | undefined> =>
  withPlace(invitations(db).where('one_time_links.id', '=', id)).executeTakeFirst();

function fittingInvitations(db: Db, { providerIds, search, role, now }: InvitationFilter) {
  let fitting = usable(db, now);
  if (role !== undefined) fitting = fitting.where('one_time_links.role', '=', role);
  if (search !== undefined) fitting = fitting.where((eb) => like([eb.ref('one_time_links.email')], search));
  if (providerIds !== null)
    fitting = fitting.where((eb) =>
      eb.or([eb('one_time_links.provider_id', 'in', providerIds), eb('accounts.provider_id', 'in', providerIds)]),
    );
  return fitting;
}

/** Invitations that may be used now, beside where they lead. */
const usable = (db: Db, now: number) =>
  invitations(db).where('one_time_links.used_at', 'is', null).where('one_time_links.expires_at', '>', now);

/** Invitations, beside where they lead. */
function invitations(db: Db) {
  return (
    db
      .selectFrom('one_time_links')
      .leftJoin('accounts', 'accounts.id', 'one_time_links.account_id')
      .leftJoin('providers', 'providers.id', 'one_time_links.provider_id')
      .where('one_time_links.purpose', '=', 'invitation')
      // Every invitation has both.
      .where('one_time_links.email', 'is not', null)
      .where('one_time_links.role', 'is not', null)
  );
}

const withPlace = (found: ReturnType<typeof invitations>) =>
  found.selectAll('one_time_links').select((eb) => eb.fn.coalesce('accounts.name', 'providers.name').as('leads_to'));
