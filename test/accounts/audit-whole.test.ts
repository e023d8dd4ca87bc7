import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  addInstance,
  createAccount,
  createKey,
  createPassingKey,
  createPlan,
  createProvider,
  revokeKey,
  updateAccount,
  updatePlan,
  updateProvider,
} from '../../src/accounts/index.ts';
import type { Act } from '../../src/audit/index.ts';
import { newId } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { auditOf } from '../support/audit.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';

const now = Date.UTC(2026, 5, 1);
const day = 24 * 60 * 60 * 1000;
const byAda: Act = { actor: { kind: 'user', id: 'user-1', name: 'ada@example.com' }, now };

describe.each(storeKinds)('the audit log and what it tells of on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeEach(async () => {
    store = await openTestStore(kind);
  });
  afterEach(() => store.dispose());

  const added = (work: () => Promise<unknown>) => auditOf(store, work);

  test('has nothing for what changes nothing, and nothing of passing keys', async () => {
    const account = await createAccount(store, { name: 'Acme', plan: 'starter', planEndsAt: now + day }, at(now));
    const provider = await createProvider(store, { name: 'north', numberCapacity: 5 }, at(now));
    const key = await createKey(store, account.id, { label: null }, at(now));
    await revokeKey(store, key.id, at(now));
    const rows = await added(async () => {
      await updateAccount(store, account.id, {}, byAda);
      await updateAccount(store, account.id, { name: ' Acme ', plan: 'starter', status: 'active', providerId: 'default' }, byAda);
      await updatePlan(store, 'trial', { name: 'trial', instanceLimit: 1 }, byAda);
      await updateProvider(store, provider.id, { name: 'north', numberCapacity: 5, status: 'active' }, byAda);
      await revokeKey(store, key.id, byAda);
      const passing = await createPassingKey(store, account.id, { ttlMs: 1000, now });
      await revokeKey(store, passing.id, byAda);
    });
    expect(rows).toEqual([]);
  });

  test('has nothing for a change that fails', async () => {
    const account = await createAccount(store, { name: 'Acme' }, at(now));
    const rows = await added(async () => {
      for (const failing of [
        () => createAccount(store, { name: 'a', plan: 'nope' }, byAda),
        () => createAccount(store, { name: 'a', freeSlots: 1 }, byAda),
        () => updateAccount(store, account.id, { name: 'b', plan: 'nope' }, byAda),
        () => updateAccount(store, 'nope', { name: 'b' }, byAda),
        () => createPlan(store, { name: 'trial', messagesPerMinute: 1, instanceLimit: 1 }, byAda),
        () => updatePlan(store, 'starter', { name: 'trial', instanceLimit: 9 }, byAda),
        () => createProvider(store, { name: '' }, byAda),
        () => updateProvider(store, 'default', { name: 'b', numberCapacity: -1 }, byAda),
        () => createKey(store, 'nope', { label: null }, byAda),
        () => revokeKey(store, 'nope', byAda),
        () => addInstance(store, { accountId: account.id, id: newId(), network: 'sandbox', label: null }, byAda),
      ]) {
        await expect(failing()).rejects.toThrow();
      }
    });
    expect(rows).toEqual([]);
  });

  test('a change that it cannot tell of is not made', async () => {
    const account = await createAccount(store, { name: 'Acme', plan: 'starter' }, at(now));
    const key = await createKey(store, account.id, { label: null }, at(now));
    const tables = ['accounts', 'plans', 'providers', 'api_keys', 'instances'] as const;
    const everything = () => Promise.all(tables.map((table) => store.db.selectFrom(table).selectAll().orderBy('id').execute()));
    const before = await everything();
    await store.db.schema.alterTable('audit_log').renameTo('audit_log_away').execute();
    for (const change of [
      () => createAccount(store, { name: 'b' }, byAda),
      () => updateAccount(store, account.id, { status: 'suspended' }, byAda),
      () => createPlan(store, { name: 'pro', messagesPerMinute: 1, instanceLimit: 1 }, byAda),
      () => updatePlan(store, 'trial', { instanceLimit: 9 }, byAda),
      () => createProvider(store, { name: 'north' }, byAda),
      () => updateProvider(store, 'default', { status: 'suspended' }, byAda),
      () => createKey(store, account.id, { label: null }, byAda),
      () => revokeKey(store, key.id, byAda),
      () => addInstance(store, { accountId: account.id, id: newId(), network: 'sandbox', label: null }, byAda),
    ]) {
      await expect(change()).rejects.toThrow(/audit_log/);
    }
    expect(await everything()).toEqual(before);
  });

  test('changes made at once tell a story without gaps', async () => {
    const account = await createAccount(store, { name: 'Acme', plan: 'starter' }, at(now));
    const names = Array.from({ length: 10 }, (_, i) => `name ${i}`);
    const rows = await added(() => Promise.all(names.map((name) => updateAccount(store, account.id, { name }, byAda))));
    const story = rows.map(({ details }) => details.name);
    expect(story.map((change) => change?.to).toSorted()).toEqual(names);
    expect(story.map((change) => change?.from)).toEqual(['Acme', ...story.slice(0, -1).map((change) => change?.to)]);
  });
});
