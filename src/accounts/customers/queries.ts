import type { Db } from '../queries.ts';

/** An account as a row of the usage of many. */
export interface UsingAccount {
  readonly id: string;
  readonly name: string;
  readonly reference: string | null;
  readonly provider_id: string;
  readonly provider_name: string;
  readonly status: 'active' | 'suspended';
  readonly operator: number;
  readonly free_slots: number | null;
  readonly instance_limit: number | null;
  readonly trial_used: number;
  readonly plan_name: string | null;
  readonly plan_instance_limit: number | null;
  readonly messages_per_minute: number | null;
  readonly trial_message_limit: number | null;
}

/** Accounts with the terms that their use is measured by, oldest first; null: of all providers. */
export function selectUsingAccounts(db: Db, providerIds: readonly string[] | null): Promise<UsingAccount[]> {
  let query = db
    .selectFrom('accounts')
    .innerJoin('providers', 'providers.id', 'accounts.provider_id')
    .leftJoin('plans', 'plans.id', 'accounts.plan_id')
    .leftJoin('account_references', 'account_references.account_id', 'accounts.id')
    .select([
      'accounts.id',
      'accounts.name',
      'account_references.reference',
      'accounts.provider_id',
      'providers.name as provider_name',
      'accounts.status',
      'accounts.operator',
      'accounts.free_slots',
      'accounts.instance_limit',
      'accounts.trial_used',
      'plans.name as plan_name',
      'plans.instance_limit as plan_instance_limit',
      'plans.messages_per_minute',
      'plans.trial_message_limit',
    ]);
  if (providerIds !== null) query = query.where('accounts.provider_id', 'in', providerIds);
  return query.orderBy('accounts.created_at').orderBy('accounts.id').execute();
}

/** How many numbers each of these accounts has; those without any are absent. */
export async function countNumbersOf(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('instances')
    .select((eb) => ['account_id', eb.fn.countAll().as('n')])
    .where('account_id', 'in', accountIds)
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, n }) => [account_id, Number(n)]));
}
