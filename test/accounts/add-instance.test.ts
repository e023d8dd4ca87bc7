import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addInstance, createAccount, createProvider, updateAccount, updatePlan } from '../../src/accounts/index.ts';
import { GatewayError, newId } from '../../src/core/index.ts';
import type { InstanceRow, Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';

const now = Date.UTC(2026, 5, 1);

describe.each(storeKinds)('addInstance on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
    store = await database.open();
  });
  afterEach(() => database.dispose());

  const add = (accountId: string, into = store): Promise<InstanceRow> =>
    addInstance(into, { accountId, id: newId(), network: 'sandbox', label: 'desk' }, at(now));
  const refused = async (adding: Promise<InstanceRow>) => {
    const error = await adding.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof GatewayError)) throw new Error(`not refused as it should be: ${error}`);
    return { code: error.code, details: error.details };
  };
  const count = async () => (await store.db.selectFrom('instances').select('id').execute()).length;

  test('adds an unlinked instance', async () => {
    const account = await createAccount(store, { name: 'a', plan: 'trial' }, at(now));
    const row = await add(account.id);
    expect(row).toMatchObject({
      account_id: account.id,
      network: 'sandbox',
      label: 'desk',
      phone_number: null,
      linked: 0,
      conflict: 0,
      created_at: now,
    });
    expect(await store.db.selectFrom('instances').selectAll().execute()).toEqual([row]);
  });

  test("the plan's limit holds, and a changed plan holds at once", async () => {
    const account = await createAccount(store, { name: 'a', plan: 'trial' }, at(now));
    await add(account.id);
    expect(await refused(add(account.id))).toEqual({
      code: 'instance_limit_reached',
      details: { instance_limit: 1, limit_source: 'plan' },
    });
    await updatePlan(store, 'trial', { instanceLimit: 2 }, at(now));
    await add(account.id);
    await updateAccount(store, account.id, { plan: 'starter' }, at(now));
    await add(account.id);
    expect(await refused(add(account.id))).toMatchObject({ details: { instance_limit: 3 } });
  });

  test("the account's own limit goes before the plan's, whether larger or smaller", async () => {
    const account = await createAccount(store, { name: 'a', plan: 'trial', instanceLimit: 2 }, at(now));
    await add(account.id);
    await add(account.id);
    expect(await refused(add(account.id))).toEqual({
      code: 'instance_limit_reached',
      details: { instance_limit: 2, limit_source: 'account' },
    });
    const closed = await createAccount(store, { name: 'b', plan: 'scale', instanceLimit: 0 }, at(now));
    expect(await refused(add(closed.id))).toMatchObject({ details: { instance_limit: 0, limit_source: 'account' } });
  });

  test('an account without limit and plan may have none', async () => {
    const account = await createAccount(store, { name: 'a' }, at(now));
    expect(await refused(add(account.id))).toEqual({
      code: 'instance_limit_reached',
      details: { instance_limit: 0, limit_source: 'plan' },
    });
  });

  test("an operator's own account has its free slots and nothing else", async () => {
    const account = await createAccount(store, { name: 'a', plan: 'scale', instanceLimit: 50, operator: true, freeSlots: 1 }, at(now));
    await add(account.id);
    expect(await refused(add(account.id))).toEqual({
      code: 'admin_free_slot_limit_reached',
      details: { instance_limit: 1, limit_source: 'free_slots' },
    });
    await store.db.updateTable('accounts').set({ free_slots: null }).where('id', '=', account.id).execute();
    expect(await refused(add(account.id))).toMatchObject({ details: { instance_limit: 0, limit_source: 'free_slots' } });
  });

  test("the provider's capacity counts the numbers of all its accounts, and only its", async () => {
    const provider = await createProvider(store, { name: 'north', numberCapacity: 2 }, at(now));
    const first = await createAccount(store, { name: 'a', plan: 'scale', providerId: provider.id }, at(now));
    const second = await createAccount(store, { name: 'b', plan: 'scale', providerId: provider.id }, at(now));
    const elsewhere = await createAccount(store, { name: 'c', plan: 'scale' }, at(now));
    await add(elsewhere.id);
    await add(first.id);
    await add(second.id);
    expect(await refused(add(first.id))).toEqual({ code: 'activation_unavailable', details: undefined });
    await add(elsewhere.id);
  });

  test("the account's own limit is told before the provider's", async () => {
    const provider = await createProvider(store, { name: 'north', numberCapacity: 1 }, at(now));
    const account = await createAccount(store, { name: 'a', plan: 'trial', providerId: provider.id }, at(now));
    await add(account.id);
    expect(await refused(add(account.id))).toMatchObject({ code: 'instance_limit_reached' });
  });

  test('of 50 at once exactly as many as allowed are added', async () => {
    const account = await createAccount(store, { name: 'a', plan: 'scale', instanceLimit: 7 }, at(now));
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => add(account.id)));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(7);
    expect(await count()).toBe(7);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'instance_limit_reached', details: { instance_limit: 7 } });
    }
  });

  test("of 50 at once over a provider's accounts exactly its capacity is added", async () => {
    const provider = await createProvider(store, { name: 'north', numberCapacity: 7 }, at(now));
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      ids.push((await createAccount(store, { name, plan: 'scale', providerId: provider.id }, at(now))).id);
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => add(ids[i % ids.length] ?? '')));
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(7);
    expect(await count()).toBe(7);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'activation_unavailable' });
    }
  });

  test('it stays exact over two connections of their own', async () => {
    const other = await database.open();
    const account = await createAccount(store, { name: 'a', plan: 'scale', instanceLimit: 7 }, at(now));
    const both = Array.from({ length: 50 }, (_, i) => () => add(account.id, i % 2 === 0 ? store : other));
    // Two embedded stores in one thread would wait for each other's file lock for ever, so there they take turns.
    if (kind === 'postgres') await Promise.allSettled(both.map((one) => one()));
    else for (const one of both) await one().catch(() => undefined);
    expect(await count()).toBe(7);
  });

  test('an unknown account is a bug of the caller, not an answer', async () => {
    await expect(add(newId())).rejects.not.toBeInstanceOf(GatewayError);
    expect(await count()).toBe(0);
  });
});
