import { type ExpressionBuilder, sql } from 'kysely';
import { type Database, type Db, type Filter, type ListPage, type ListRequest, like, type Sorts, selectPage } from '../../store/index.ts';
import { lastSeenAt } from './users.ts';

/** A person's role with the names of where it holds. */
export interface NamedMembership extends Readonly<Pick<Database['memberships'], 'user_id' | 'role' | 'provider_id' | 'account_id'>> {
  readonly provider_name: string | null;
  readonly account_name: string | null;
}

/** What everybody but the sign-in sees of a person. */
type UserColumn = 'id' | 'name' | 'email' | 'email_verified' | 'two_factor_enabled' | 'created_at';

/** A person with the roles that are looked at. Times are the sign-in library's: text on SQLite, dates on PostgreSQL. */
export interface UserWithRoles extends Readonly<Pick<Database['users'], UserColumn>> {
  readonly last_seen_at: string | Date | null;
  readonly memberships: readonly NamedMembership[];
}

/** Which people are wanted; with `providerIds` those who have a role there. */
export interface PeopleFilter extends Filter {
  /** Those who have this role, within reach. */
  readonly role?: NamedMembership['role'] | undefined;
}

const id = sql<string>`users.id`;
export const peopleSorts = {
  // Ids are in the order of their time, and the sign-in library's times are of another type on each database.
  created: { type: 'text', key: id },
  name: { type: 'text', key: sql`lower(users.name)` },
  email: { type: 'text', key: sql`users.email` },
} as const satisfies Sorts;

/** A page of the people who fit, with their roles; with `providerIds` only the roles there. */
export async function selectPeoplePage(
  db: Db,
  filter: PeopleFilter,
  request: ListRequest<keyof typeof peopleSorts>,
): Promise<ListPage<UserWithRoles>> {
  return selectPage(fittingPeople(db, filter), { id, ...peopleSorts[request.sort] }, request, (ids) => selectPeople(db, ids, filter));
}

/** These people with their roles, in no particular order. */
export async function selectPeople(db: Db, ids: readonly string[], filter: Pick<Filter, 'providerIds'>): Promise<UserWithRoles[]> {
  if (ids.length === 0) return [];
  const users = await db
    .selectFrom('users')
    .select(['users.id', 'users.name', 'users.email', 'users.email_verified', 'users.two_factor_enabled', 'users.created_at'])
    .select(lastSeenAt)
    .where('users.id', 'in', ids)
    .execute();
  const roles = Map.groupBy(await selectNamedMemberships(db, ids, filter), ({ user_id }) => user_id);
  return users.map((user) => ({ ...user, memberships: roles.get(user.id) ?? [] }));
}

function fittingPeople(db: Db, { providerIds, search, role }: PeopleFilter) {
  let fitting = db.selectFrom('users');
  if (providerIds !== null || role !== undefined) {
    fitting = fitting.where((eb) => {
      let roles = eb
        .selectFrom('memberships')
        .leftJoin('accounts', 'accounts.id', 'memberships.account_id')
        .select('memberships.id')
        .whereRef('memberships.user_id', '=', 'users.id');
      if (role !== undefined) roles = roles.where('memberships.role', '=', role);
      if (providerIds !== null)
        roles = roles.where((at) =>
          at.or([at('memberships.provider_id', 'in', providerIds), at('accounts.provider_id', 'in', providerIds)]),
        );
      return eb.exists(roles);
    });
  }
  if (search !== undefined)
    fitting = fitting.where((eb) =>
      eb.or([like([eb.ref('users.name'), eb.ref('users.email')], search), eb('users.id', '=', search.toLowerCase())]),
    );
  return fitting;
}

/** The roles of these people, oldest first. */
async function selectNamedMemberships(
  db: Db,
  userIds: readonly string[],
  { providerIds }: Pick<Filter, 'providerIds'>,
): Promise<NamedMembership[]> {
  if (userIds.length === 0) return [];
  let query = db
    .selectFrom('memberships')
    .leftJoin('accounts', 'accounts.id', 'memberships.account_id')
    .leftJoin('providers', 'providers.id', 'memberships.provider_id')
    .select(['memberships.user_id', 'memberships.role', 'memberships.provider_id', 'memberships.account_id'])
    .select(['providers.name as provider_name', 'accounts.name as account_name'])
    .where('memberships.user_id', 'in', userIds);
  if (providerIds !== null)
    query = query.where((eb) => eb.or([eb('memberships.provider_id', 'in', providerIds), eb('accounts.provider_id', 'in', providerIds)]));
  return query.orderBy('memberships.created_at').orderBy('memberships.id').execute();
}

/** Whose objects somebody may see. */
export interface SearchReach {
  /** Everything of these providers; null: of all. */
  readonly providerIds: readonly string[] | null;
  /** Accounts besides those. */
  readonly accountIds: readonly string[];
  /** Those of them whose people may be seen. */
  readonly ownedAccountIds: readonly string[];
}

/** People by part of their name or e-mail address, newest first: those who have a role where the asker may see people. */
export async function selectPeopleLike(db: Db, { providerIds, ownedAccountIds }: SearchReach, words: string, limit: number) {
  // One of the asker's own accounts to which they belong.
  const ownAccount = (eb: ExpressionBuilder<Database, 'users'>) =>
    eb
      .selectFrom('memberships')
      .select(({ fn }) => fn.min('memberships.account_id').as('account_id'))
      .whereRef('memberships.user_id', '=', 'users.id')
      .where('memberships.account_id', 'in', ownedAccountIds);
  let query = db
    .selectFrom('users')
    .select(['users.id', 'users.name', 'users.email'])
    .select((eb) => (ownedAccountIds.length === 0 ? sql<string | null>`null` : sql<string | null>`(${ownAccount(eb)})`).as('account_id'));
  query = query.where(like([sql.ref('users.name'), sql.ref('users.email')], words));
  if (providerIds !== null) {
    if (providerIds.length === 0 && ownedAccountIds.length === 0) return [];
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('memberships')
          .leftJoin('accounts', 'accounts.id', 'memberships.account_id')
          .select('memberships.id')
          .whereRef('memberships.user_id', '=', 'users.id')
          .where((at) =>
            at.or([
              ...(providerIds.length === 0
                ? []
                : [at('memberships.provider_id', 'in', providerIds), at('accounts.provider_id', 'in', providerIds)]),
              ...(ownedAccountIds.length === 0 ? [] : [at('memberships.account_id', 'in', ownedAccountIds)]),
            ]),
          ),
      ),
    );
  }
  return query.orderBy('users.created_at', 'desc').orderBy('users.id', 'desc').limit(limit).execute();
}
