import { type Expression, type SqlBool, sql } from 'kysely';
import { lastingRestrictions } from '../../networks/index.ts';
import type { InstanceRow, OneTimeLinkRow, ProviderRow } from '../../store/index.ts';
import { type AccountSummary, accountSummaries, type Db, withCounts } from '../queries.ts';

/** What is wanted. */
export interface Filter {
  /** Only objects of these providers; null: all. */
  readonly providerIds: readonly string[] | null;
  /** Part of a name, label, number or address, or a whole id; absent: everything. */
  readonly search?: string | undefined;
}

/** The first of those that fit, with how many there are. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

const counted = (row: { n: unknown } | undefined): number => Number(row?.n ?? 0);

/** Whether one of the columns holds the text, in any letter case as far as the database knows letters. */
function holds(columns: readonly Expression<unknown>[], search: string): Expression<SqlBool> {
  const pattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const either = columns.map(
    (column) =>
      sql<SqlBool>`lower(${column}) like ${pattern(search.toLowerCase())} escape '\\' or ${column} like ${pattern(search)} escape '\\'`,
  );
  return sql<SqlBool>`(${sql.join(either, sql` or `)})`;
}

/** Accounts, newest first. */
export async function selectAccountPage(db: Db, { providerIds, search }: Filter, limit: number): Promise<Page<AccountSummary>> {
  let fitting = db.selectFrom('accounts');
  if (providerIds !== null) fitting = fitting.where('provider_id', 'in', providerIds);
  if (search !== undefined)
    fitting = fitting.where((eb) => eb.or([holds([eb.ref('name')], search), eb('accounts.id', '=', search.toLowerCase())]));
  const total = await fitting.select((eb) => eb.fn.countAll().as('n')).executeTakeFirst();
  const ids = await fitting.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
  if (ids.length === 0) return { rows: [], total: 0 };
  const rows = await accountSummaries(db)
    .where(
      'accounts.id',
      'in',
      ids.map(({ id }) => id),
    )
    .orderBy('accounts.created_at', 'desc')
    .orderBy('accounts.id', 'desc')
    .execute();
  return { rows: rows.map(withCounts), total: counted(total) };
}

/** A provider with what belongs to it. */
export interface ProviderSummary extends ProviderRow {
  readonly accounts: number;
  /** Numbers (instances) of all its accounts, linked or not. */
  readonly numbers: number;
}

/** Providers, oldest first. */
export async function selectProviderSummaries(db: Db, limit: number): Promise<ProviderSummary[]> {
  const rows = await db
    .selectFrom('providers')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('accounts')
        .select((count) => count.fn.countAll().as('n'))
        .whereRef('accounts.provider_id', '=', 'providers.id')
        .as('accounts'),
      eb
        .selectFrom('instances')
        .innerJoin('accounts', 'accounts.id', 'instances.account_id')
        .select((count) => count.fn.countAll().as('n'))
        .whereRef('accounts.provider_id', '=', 'providers.id')
        .as('numbers'),
    ])
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, accounts: Number(row.accounts), numbers: Number(row.numbers) }));
}

/** A number with the name of its account. */
export interface NumberSummary extends InstanceRow {
  readonly account_name: string;
}

/** Which numbers are wanted. `needs_person`: it was linked and only a person can bring it back. */
export interface NumberFilter {
  readonly network?: string | undefined;
  readonly standing?: 'needs_person' | 'never_linked' | undefined;
}

/** The ids of numbers, newest first. */
export async function selectNumberIds(db: Db, filter: Filter & NumberFilter): Promise<string[]> {
  const fitting = fittingNumbers(db, filter);
  const ids = await fitting.select('instances.id').orderBy('instances.created_at', 'desc').orderBy('instances.id', 'desc').execute();
  return ids.map(({ id }) => id);
}

/** How many numbers fit. */
export async function countNumbers(db: Db, filter: Filter & NumberFilter): Promise<number> {
  return counted(
    await fittingNumbers(db, filter)
      .select((eb) => eb.fn.countAll().as('n'))
      .executeTakeFirst(),
  );
}

function fittingNumbers(db: Db, { providerIds, search, network, standing }: Filter & NumberFilter) {
  let fitting = db.selectFrom('instances').innerJoin('accounts', 'accounts.id', 'instances.account_id');
  if (providerIds !== null) fitting = fitting.where('accounts.provider_id', 'in', providerIds);
  if (network !== undefined) fitting = fitting.where('instances.network', '=', network);
  if (standing === 'never_linked') fitting = fitting.where('phone_number', 'is', null);
  if (standing === 'needs_person') {
    // As `storedStanding` says it.
    fitting = fitting
      .where('phone_number', 'is not', null)
      .where((eb) => eb.or([eb('linked', '=', 0), eb('restriction_reason', 'in', lastingRestrictions)]));
  }
  if (search !== undefined) {
    fitting = fitting.where((eb) =>
      eb.or([
        holds([eb.ref('instances.label'), eb.ref('instances.phone_number'), eb.ref('accounts.name')], search),
        eb('instances.id', '=', search.toLowerCase()),
        eb('accounts.id', '=', search.toLowerCase()),
      ]),
    );
  }
  return fitting;
}

/** These numbers, newest first. */
export async function selectNumbers(db: Db, ids: readonly string[]): Promise<NumberSummary[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('instances')
    .innerJoin('accounts', 'accounts.id', 'instances.account_id')
    .selectAll('instances')
    .select('accounts.name as account_name')
    .where('instances.id', 'in', ids)
    .orderBy('instances.created_at', 'desc')
    .orderBy('instances.id', 'desc')
    .execute();
}

/** A person's role with the names of where it holds. */
export interface NamedMembership {
  readonly user_id: string;
  readonly role: 'operator' | 'provider_admin' | 'owner' | 'member';
  readonly provider_id: string | null;
  readonly provider_name: string | null;
  readonly account_id: string | null;
  readonly account_name: string | null;
}

/** A person as everybody but the sign-in sees them. Times are the sign-in library's: text on SQLite, dates on PostgreSQL. */
export interface UserSummary {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly email_verified: number | boolean;
  readonly two_factor_enabled: number | boolean | null;
  readonly created_at: string | Date;
  readonly last_seen_at: string | Date | null;
}

/** People, newest first. With `providerIds`: those who have a role there. */
export async function selectUserPage(db: Db, { providerIds, search }: Filter, limit: number): Promise<Page<UserSummary>> {
  let fitting = db.selectFrom('users');
  if (providerIds !== null) {
    fitting = fitting.where((eb) =>
      eb.exists(
        eb
          .selectFrom('memberships')
          .leftJoin('accounts', 'accounts.id', 'memberships.account_id')
          .select('memberships.id')
          .whereRef('memberships.user_id', '=', 'users.id')
          .where((at) => at.or([at('memberships.provider_id', 'in', providerIds), at('accounts.provider_id', 'in', providerIds)])),
      ),
    );
  }
  if (search !== undefined) fitting = fitting.where((eb) => holds([eb.ref('users.name'), eb.ref('users.email')], search));
  const total = await fitting.select((eb) => eb.fn.countAll().as('n')).executeTakeFirst();
  const rows = await fitting
    .select(['users.id', 'users.name', 'users.email', 'users.email_verified', 'users.two_factor_enabled', 'users.created_at'])
    .select((eb) =>
      eb
        .selectFrom('user_sessions')
        .select((of) => of.fn.max('user_sessions.updated_at').as('at'))
        .whereRef('user_sessions.user_id', '=', 'users.id')
        .as('last_seen_at'),
    )
    .orderBy('users.created_at', 'desc')
    .orderBy('users.id', 'desc')
    .limit(limit)
    .execute();
  return { rows, total: counted(total) };
}

/** The roles of these people, oldest first. */
export async function selectNamedMemberships(
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

/** An unused invitation with the name of where it leads. */
export interface InvitationSummary extends OneTimeLinkRow {
  readonly leads_to: string | null;
}

/** Invitations that may be used now, newest first; of one account where it is given. */
export function selectInvitations(
  db: Db,
  { providerIds, search, accountId }: Filter & { accountId?: string | undefined },
  now: number,
  limit: number,
): Promise<InvitationSummary[]> {
  let query = db
    .selectFrom('one_time_links')
    .leftJoin('accounts', 'accounts.id', 'one_time_links.account_id')
    .leftJoin('providers', 'providers.id', 'one_time_links.provider_id')
    .selectAll('one_time_links')
    .select((eb) => eb.fn.coalesce('accounts.name', 'providers.name').as('leads_to'))
    .where('purpose', '=', 'invitation')
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
  if (accountId !== undefined) query = query.where('one_time_links.account_id', '=', accountId);
  if (search !== undefined) query = query.where((eb) => holds([eb.ref('one_time_links.email')], search));
  if (providerIds !== null)
    query = query.where((eb) =>
      eb.or([eb('one_time_links.provider_id', 'in', providerIds), eb('accounts.provider_id', 'in', providerIds)]),
    );
  return query.orderBy('one_time_links.created_at', 'desc').orderBy('one_time_links.id', 'desc').limit(limit).execute();
}
