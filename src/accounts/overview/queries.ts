import type { OneTimeLinkRow, ProviderRow } from '../../store/index.ts';
import type { Filter } from '../lists/list.ts';
import { holds } from '../lists/queries.ts';
import type { Db } from '../queries.ts';

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
