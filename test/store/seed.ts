import { onTestFinished } from 'vitest';
import { newId } from '../../src/core/index.ts';
import type { ClaimCall, SettleCall, Store } from '../../src/store/index.ts';
import { createTestDatabase, type StoreKind, type TestDatabase } from '../support/stores.ts';

export const day = '2026-01-31';
export const start = Date.UTC(2026, 0, 31, 12);

/** What a test's sends need: an account with a key and a linked number. */
export interface Seeded {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyHash: string;
  readonly instanceId: string;
  /** A claim of this account; without an idempotency key and on no trial unless said. */
  claim(call?: Partial<ClaimCall>): ClaimCall;
  /** The end of an accepted send of this account. */
  settle(call?: Partial<SettleCall>): SettleCall;
}

/** A fresh database for one test, opened, with an account; removed when the test has ended. */
export async function openSeeded(kind: StoreKind): Promise<{ database: TestDatabase; store: Store; account: Seeded }> {
  const database = await createTestDatabase(kind);
  onTestFinished(() => database.dispose());
  const store = await database.open();
  return { database, store, account: await seed(store) };
}

/** Adds an account on the plan `scale`. */
export async function seed(store: Store, { network = 'sandbox' }: { readonly network?: string } = {}): Promise<Seeded> {
  const [accountId, keyId, instanceId] = [newId(), newId(), newId()];
  const keyHash = `hash of ${keyId}`;
  const plan = await store.db.selectFrom('plans').select('id').where('name', '=', 'scale').executeTakeFirstOrThrow();
  await store.db
    .insertInto('accounts')
    .values({
      id: accountId,
      name: 'Ada',
      provider_id: 'default',
      status: 'active',
      plan_id: plan.id,
      plan_starts_at: start - 1000,
      plan_ends_at: start + 1_000_000,
      access_ends_at: null,
      instance_limit: null,
      operator: 0,
      free_slots: null,
      created_at: start,
    })
    .execute();
  await store.db
    .insertInto('api_keys')
    .values({
      id: keyId,
      account_id: accountId,
      prefix: 'mgw_test',
      label: null,
      hash: keyHash,
      created_at: start,
      last_used_at: null,
      revoked_at: null,
      expires_at: null,
    })
    .execute();
  await store.db
    .insertInto('instances')
    .values({
      id: instanceId,
      account_id: accountId,
      network,
      label: null,
      phone_number: null,
      linked: 1,
      conflict: 0,
      created_at: start,
    })
    .execute();
  return {
    accountId,
    keyId,
    keyHash,
    instanceId,
    claim: (call) => ({
      ...{ accountId, instanceId, linked: true, lease: null, keyed: null, trialLimit: null, requestId: newId(), now: start },
      dated: call?.now ?? start,
      ...call,
    }),
    settle: (call) => ({ requestId: newId(), at: start, accountId, type: 'text', day, keyed: null, reservation: null, ...call }),
  };
}

/** An idempotency key as a send brings it. */
export function keyed(key: string, fingerprint = 'print') {
  return { key, fingerprint, messageId: `message of ${key}` };
}

/** The request that holds the claim of a key; some other when there is none. */
export async function holder(store: Store, { accountId }: Seeded, key: string | null): Promise<string> {
  const row = await store.db
    .selectFrom('claims')
    .select('owner')
    .where('account_id', '=', accountId)
    .where('key', '=', key ?? '')
    .executeTakeFirst();
  return row?.owner ?? newId();
}

/** The key of a settlement: what `keyed` claimed, and what the network said. */
export function said(key: string, providerStatus: string | null = null) {
  return { key, messageId: keyed(key).messageId, providerStatus };
}

/** A value that the types forbid and a column refuses. */
export const forbidden = null as unknown as string;
