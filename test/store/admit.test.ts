import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { createTestDatabase, openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Seeded, seed, start } from './seed.ts';

describe.each(storeKinds)('admit on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let account: Seeded;
  beforeEach(async () => {
    store = await openTestStore(kind);
    account = await seed(store);
  });
  afterEach(() => store.dispose());

  const lastUsedAt = async () =>
    (await store.db.selectFrom('api_keys').select('last_used_at').where('id', '=', account.keyId).executeTakeFirstOrThrow()).last_used_at;

  it('gives key, account, provider and plan', async () => {
    const plan = await store.db.selectFrom('plans').selectAll().where('name', '=', 'scale').executeTakeFirstOrThrow();
    expect(await store.hot.admit({ keyHash: account.keyHash, now: start })).toMatchObject({
      keyId: account.keyId,
      accountId: account.accountId,
      accountStatus: 'active',
      providerStatus: 'active',
      accessEndsAt: null,
      planId: plan.id,
      planEndsAt: start + 1_000_000,
      messagesPerMinute: 1200,
      trialMessageLimit: null,
    });
  });

  it('gives nulls for an account without a plan, and what was changed since', async () => {
    await store.db.updateTable('accounts').set({ plan_id: null, plan_starts_at: null, plan_ends_at: null, status: 'suspended' }).execute();
    await store.db
      .updateTable('accounts')
      .set({ access_ends_at: start + 5 })
      .execute();
    await store.db.updateTable('providers').set({ status: 'suspended' }).execute();
    expect(await store.hot.admit({ keyHash: account.keyHash, now: start })).toMatchObject({
      accountStatus: 'suspended',
      providerStatus: 'suspended',
      accessEndsAt: start + 5,
      planId: null,
      planEndsAt: null,
      messagesPerMinute: null,
      trialMessageLimit: null,
    });
  });

  it('shows every change at the very next request, also of a key that was just used', async () => {
    const { db } = store;
    const admit = () => store.hot.admit({ keyHash: account.keyHash, now: start });
    const { id: trial } = await db.selectFrom('plans').select('id').where('name', '=', 'trial').executeTakeFirstOrThrow();
    expect(await admit()).toMatchObject({ accountStatus: 'active', providerStatus: 'active', messagesPerMinute: 1200 });
    await db.updateTable('plans').set({ messages_per_minute: 7 }).execute();
    expect(await admit()).toMatchObject({ messagesPerMinute: 7 });
    await db.updateTable('accounts').set({ plan_id: trial }).execute();
    expect(await admit()).toMatchObject({ planId: trial });
    await db.updateTable('accounts').set({ status: 'suspended' }).execute();
    expect(await admit()).toMatchObject({ accountStatus: 'suspended' });
    await db.updateTable('providers').set({ status: 'suspended' }).execute();
    expect(await admit()).toMatchObject({ providerStatus: 'suspended' });
    await db.updateTable('api_keys').set({ expires_at: start }).execute();
    expect(await admit()).toBeNull();
    await db
      .updateTable('api_keys')
      .set({ expires_at: start + 1 })
      .execute();
    expect(await admit()).not.toBeNull();
    await db.updateTable('api_keys').set({ revoked_at: start }).execute();
    expect(await admit()).toBeNull();
  });

  it('refuses unknown and revoked keys without noting a use', async () => {
    expect(await store.hot.admit({ keyHash: 'unknown', now: start })).toBeNull();
    await store.db.updateTable('api_keys').set({ revoked_at: start }).execute();
    expect(await store.hot.admit({ keyHash: account.keyHash, now: start })).toBeNull();
    expect(await lastUsedAt()).toBeNull();
  });

  it('refuses a key from the moment it expires', async () => {
    await store.db.updateTable('api_keys').set({ expires_at: start }).execute();
    expect(await store.hot.admit({ keyHash: account.keyHash, now: start })).toBeNull();
    expect(await lastUsedAt()).toBeNull();
    expect(await store.hot.admit({ keyHash: account.keyHash, now: start - 1 })).not.toBeNull();
  });

  it('notes the last use to the second and never backwards', async () => {
    for (const [now, noted] of [
      [start + 1234, start + 1000],
      [start + 1999, start + 1000],
      [start + 2000, start + 2000],
      [start + 1500, start + 2000],
    ] as const) {
      await store.hot.admit({ keyHash: account.keyHash, now });
      await waitFor(async () => expect(await lastUsedAt()).toBe(noted));
    }
  });

  it('writes at most once per second', async () => {
    await store.hot.admit({ keyHash: account.keyHash, now: start });
    await waitFor(async () => expect(await lastUsedAt()).toBe(start));
    // A value that a second write within the second would replace.
    await store.db
      .updateTable('api_keys')
      .set({ last_used_at: start + 1 })
      .execute();
    await Promise.all(Array.from({ length: 200 }, (_, i) => store.hot.admit({ keyHash: account.keyHash, now: start + i })));
    expect(await lastUsedAt()).toBe(start + 1);
  });

  it('answers many calls at once, each for its own key', async () => {
    const accounts = [account, ...(await Promise.all(Array.from({ length: 9 }, () => seed(store))))];
    const calls = Array.from({ length: 1000 }, (_, i) => accounts[i % 11]?.keyHash ?? 'unknown');
    const answers = await Promise.all(calls.map((keyHash) => store.hot.admit({ keyHash, now: start })));
    expect(answers.map((answer) => answer?.accountId)).toEqual(calls.map((_, i) => accounts[i % 11]?.accountId));
    const uses = () => store.db.selectFrom('api_keys').select('last_used_at').distinct().execute();
    await waitFor(async () => expect(await uses()).toEqual([{ last_used_at: start }]));
  });

  it('does not wait for another program that is writing', async () => {
    const database = await createTestDatabase(kind);
    try {
      const server = await database.open();
      const { keyHash, accountId } = await seed(server);
      const program = await database.open();
      await program.transaction(async (trx) => {
        await trx.updateTable('accounts').set({ status: 'suspended' }).execute();
        expect(await server.hot.admit({ keyHash, now: start })).toMatchObject({ accountId, accountStatus: 'active' });
      });
      expect(await server.hot.admit({ keyHash, now: start })).toMatchObject({ accountStatus: 'suspended' });
      // The use during the other's writing was noted after it.
      const noted = server.db.selectFrom('api_keys').select('last_used_at').where('hash', '=', keyHash);
      await waitFor(async () => expect(await noted.execute()).toEqual([{ last_used_at: start }]));
    } finally {
      await database.dispose();
    }
  });
});
