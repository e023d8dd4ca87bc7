import type { Kysely } from 'kysely';
import type { Admission, AdmitCall } from './hot-path.ts';
import type { Database } from './schema.ts';

/** A key counts as used at most once per second, so that its last use costs one write per second, not one per request. */
const lastUsedResolutionMs = 1000;

/** The row of the one query that admits a request. */
export interface AdmissionRow extends Admission {
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
}

/** Key, account, provider and plan in one query; the condition on the key's hash is added by the dialect. */
export function admissionQuery(db: Kysely<Database>) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .innerJoin('providers', 'providers.id', 'accounts.provider_id')
    .leftJoin('plans', 'plans.id', 'accounts.plan_id')
    .where('api_keys.revoked_at', 'is', null)
    .select([
      'api_keys.id as keyId',
      'api_keys.last_used_at as lastUsedAt',
      'api_keys.expires_at as expiresAt',
      'accounts.id as accountId',
      'accounts.status as accountStatus',
      'providers.status as providerStatus',
      'accounts.access_ends_at as accessEndsAt',
      'accounts.plan_id as planId',
      'accounts.plan_ends_at as planEndsAt',
      'plans.messages_per_minute as messagesPerMinute',
      'plans.trial_message_limit as trialMessageLimit',
    ]);
}

/**
 * What each call is answered from the rows of their keys, by hash; and which uses are to be noted: the time to the second, by the key's id, unless
 * the row has it already.
 */
export function admitted(calls: readonly AdmitCall[], rows: ReadonlyMap<string, AdmissionRow | undefined>) {
  const uses = new Map<string, number>();
  const answers = calls.map(({ keyHash, now }): Admission | null => {
    const row = rows.get(keyHash);
    if (row === undefined || (row.expiresAt !== null && row.expiresAt <= now)) return null;
    const used = now - (now % lastUsedResolutionMs);
    if (used > (uses.get(row.keyId) ?? row.lastUsedAt ?? Number.NEGATIVE_INFINITY)) uses.set(row.keyId, used);
    return row;
  });
  return { answers, uses };
}
