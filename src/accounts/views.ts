import { auditView } from '../audit/index.ts';
import { GatewayError, iso, isoOrNull } from '../core/index.ts';
import { requestView } from '../requests/index.ts';
import type { PlanRow, ProviderRow } from '../store/index.ts';
import { admitted, termsOf } from './admitted.ts';
import type { CheckedRow } from './import.ts';
import type { AccountNote } from './notes.ts';
import type { AccountSummary } from './queries/accounts.ts';
import type { KeySummary } from './queries/keys.ts';
import type { SearchResult } from './search.ts';

// What portal and command line show of each thing. Times are ISO 8601 UTC.

/** An account; portal and command line add its plan, each in its own way. */
export function accountView(account: AccountSummary) {
  return {
    account_id: account.id,
    name: account.name,
    status: account.status,
    suspended_by: account.suspended_by,
    provider_id: account.provider_id,
    provider_status: account.provider_status,
    plan_starts_at: isoOrNull(account.plan_starts_at),
    plan_ends_at: isoOrNull(account.plan_ends_at),
    access_ends_at: isoOrNull(account.access_ends_at),
    instance_limit: account.instance_limit,
    operator: account.operator !== 0,
    free_slots: account.free_slots,
    trial_used: account.trial_used,
    numbers: account.numbers,
    live_keys: account.live_keys,
    created_at: iso(account.created_at),
  };
}

/** The code a send with a good key would be refused with before its body is read, rate limit aside; null when it would be admitted. */
export function refusalOf(account: AccountSummary, now: number): string | null {
  try {
    admitted(termsOf(account), now, { planRequired: true });
    return null;
  } catch (error) {
    if (error instanceof GatewayError) return error.code;
    throw error;
  }
}

export function planView({ id, name, messages_per_minute, instance_limit, trial_message_limit, created_at }: PlanRow) {
  return { plan_id: id, name, messages_per_minute, instance_limit, trial_message_limit, created_at: iso(created_at) };
}

/** A plan among others; `defaultId`: the one that is proposed for new accounts. */
export function planChoice(plan: PlanRow, defaultId: string | null) {
  return { ...planView(plan), is_default: plan.id === defaultId };
}

export function providerView({ id, name, status, number_capacity, default_plan_id, created_at }: ProviderRow) {
  return { provider_id: id, name, status, number_capacity, default_plan_id, created_at: iso(created_at) };
}

/** A key without its secret. */
export function keyView(key: Omit<KeySummary, 'account_id'>) {
  return {
    key_id: key.id,
    prefix: key.prefix,
    label: key.label,
    created_at: iso(key.created_at),
    last_used_at: isoOrNull(key.last_used_at),
    revoked_at: isoOrNull(key.revoked_at),
  };
}

export function noteView(note: AccountNote | undefined) {
  return { text: note?.text ?? '', written_at: isoOrNull(note?.written_at ?? null), written_by: note?.written_by ?? null };
}

/** A line of a file of accounts, before anything was made of it. */
export function importLineView({ line, name, state, mistakes, accountId, ownerEmail }: CheckedRow) {
  return { line, name, state, mistakes, account_id: accountId, owner_email: ownerEmail, link: null, mailed: false };
}

/** `auditId`: the id of an entry of the audit log as the reader gets it. */
export function searchView(
  { requests, numbers, accounts, keys, people, providers, changes }: SearchResult,
  auditId: (id: number) => string = String,
) {
  return {
    requests: {
      ...requests,
      items: requests.items.map(({ record, account }) => ({
        ...requestView(record),
        account_id: record.account_id,
        account_name: account?.account_name ?? null,
      })),
    },
    numbers: { ...numbers, items: numbers.items.map(({ id, ...one }) => ({ instance_id: id, ...one })) },
    accounts: { ...accounts, items: accounts.items.map(({ id, ...one }) => ({ account_id: id, ...one })) },
    keys: {
      ...keys,
      items: keys.items.map(({ id, revoked_at, ...one }) => ({
        key_id: id,
        ...one,
        revoked: revoked_at !== null,
        revoked_at: isoOrNull(revoked_at),
      })),
    },
    people: { ...people, items: people.items.map(({ id, ...one }) => ({ user_id: id, ...one })) },
    providers: { ...providers, items: providers.items.map(({ id, ...one }) => ({ provider_id: id, ...one })) },
    changes: {
      ...changes,
      // Who acted may not be known to the reader otherwise.
      items: changes.items.map(auditView).map(({ audit_id, provider_id, ...entry }) => ({
        ...entry,
        audit_id: auditId(audit_id),
        actor_id: null,
      })),
    },
  };
}
