import { type Insertable, type NotNull, sql } from 'kysely';
import {
  type Database,
  type Db,
  type Filter,
  type ListPage,
  type ListRequest,
  like,
  type OneTimeLinkRow,
  type Sorts,
  selectPage,
} from '../../store/index.ts';
import { isAt, type PlaceIds } from './memberships.ts';

export async function insertLink(db: Db, row: Insertable<Database['one_time_links']>): Promise<void> {
  await db.insertInto('one_time_links').values(row).execute();
}

/** A link that may be used now. */
export const selectUsableLink = (db: Db, tokenHash: string, now: number): Promise<OneTimeLinkRow | undefined> =>
  db
    .selectFrom('one_time_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Marks a link as used; false when it was used already. */
export async function takeLink(db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('one_time_links')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Ends the unused links of a purpose, of one e-mail address and to one place where they are given. */
export async function endLinks(
  db: Db,
  of: { purpose: OneTimeLinkRow['purpose']; email?: string; place?: PlaceIds },
  now: number,
): Promise<void> {
  let query = db.updateTable('one_time_links').set({ used_at: now }).where('purpose', '=', of.purpose).where('used_at', 'is', null);
  if (of.email !== undefined) query = query.where('email', '=', of.email);
  if (of.place !== undefined) query = query.where(isAt(of.place));
  await query.execute();
}

/** The unused links that these people made. */
export const selectUnusedLinksOf = async (db: Db, makerIds: readonly string[]): Promise<OneTimeLinkRow[]> =>
  makerIds.length === 0
    ? []
    : db.selectFrom('one_time_links').selectAll().where('maker_id', 'in', makerIds).where('used_at', 'is', null).execute();

/** Ends every unused link of an e-mail address. */
export async function endLinksOf(db: Db, email: string, now: number): Promise<void> {
  await db.updateTable('one_time_links').set({ used_at: now }).where('email', '=', email).where('used_at', 'is', null).execute();
}

/** Whether another invitation of the same person to the same place was made at that moment. */
export async function selectInvitationMadeAt(
  db: Db,
  { id, email, ...place }: PlaceIds & Pick<OneTimeLinkRow, 'id' | 'email'>,
  at: number,
): Promise<boolean> {
  const other = await db
    .selectFrom('one_time_links')
    .select('id')
    .where('purpose', '=', 'invitation')
    .where('email', '=', email)
    .where(isAt(place))
    .where('created_at', '=', at)
    .where('id', '!=', id)
    .executeTakeFirst();
  return other !== undefined;
}

/** An invitation with the name of where it leads. */
export type InvitationSummary = NonNullable<Awaited<ReturnType<typeof selectAnyInvitation>>>;

/** Which of the invitations that may be used now are wanted. */
export interface InvitationFilter extends Filter {
  readonly role?: OneTimeLinkRow['role'] | undefined;
  readonly now: number;
}

const id = sql<string>`one_time_links.id`;
export const invitationSorts = {
  created: { type: 'number', key: sql`one_time_links.created_at` },
  email: { type: 'text', key: sql`one_time_links.email` },
  expires: { type: 'number', key: sql`one_time_links.expires_at` },
} as const satisfies Sorts;

export async function selectInvitationPage(
  db: Db,
  filter: InvitationFilter,
  request: ListRequest<keyof typeof invitationSorts>,
): Promise<ListPage<InvitationSummary>> {
  return selectPage(fittingInvitations(db, filter), { id, ...invitationSorts[request.sort] }, request, async (ids) =>
    ids.length === 0 ? [] : withPlace(usable(db, filter.now).where('one_time_links.id', 'in', ids)).execute(),
  );
}

/** The invitations to an account, newest first: no more than the people that one account may have. */
export function selectInvitationsOf(db: Db, accountId: string, now: number): Promise<InvitationSummary[]> {
  return withPlace(usable(db, now).where('one_time_links.account_id', '=', accountId))
    .orderBy('one_time_links.created_at', 'desc')
    .orderBy('one_time_links.id', 'desc')
    .execute();
}

/** An invitation that may be used now. */
export const selectInvitation = (db: Db, id: string, now: number) =>
  withPlace(usable(db, now).where('one_time_links.id', '=', id)).executeTakeFirst();

/** An invitation with this id, whatever became of it. */
export const selectAnyInvitation = (db: Db, id: string) =>
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
  found
    .selectAll('one_time_links')
    .select((eb) => eb.fn.coalesce('accounts.name', 'providers.name').as('leads_to'))
    .$narrowType<{ email: NotNull; role: NotNull }>();
