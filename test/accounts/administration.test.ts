import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  addInstance,
  createAccount,
  createKey,
  createPassingKey,
  createPlan,
  createProvider,
  findNumber,
  listKeys,
  listNumbers,
  listPlans,
  listProviders,
  noteOf,
  revokeKey,
  selectAccounts,
  showAccount,
  updateAccount,
  updateProvider,
  writeNote,
} from '../../src/accounts/index.ts';
import { createTarget, listTargets } from '../../src/alerts/index.ts';
import { type Act, recordAudit } from '../../src/audit/index.ts';
import { createVault, hashApiKey, newId, OperatorError } from '../../src/core/index.ts';
import { findRequest } from '../../src/requests/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { logRequest, requestRecord } from '../support/request-log.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';

const now = Date.UTC(2026, 5, 1);
const day = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('administration on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeEach(async () => {
    store = await openTestStore(kind);
  });
  afterEach(() => store.dispose());

  const admission = (key: string, at = now) => store.hot.admit({ keyHash: hashApiKey(key), now: at });

  describe('accounts', () => {
    test('is not changed any more by somebody of a provider that it left in the moment before', async () => {
      const account = await createAccount(store, { name: 'Acme', plan: 'scale' }, at(now));
      const next = await createProvider(store, { name: 'next' }, at(now));
      await updateAccount(store, account.id, { providerId: next.id }, at(now));
      const by = (reach: { providerIds: string[]; accountIds: string[] }): Act => ({
        actor: { kind: 'user', id: newId(), name: 'admin@example.com', reach },
        now,
      });
      const late = by({ providerIds: ['default'], accountIds: [] });
      const refused = { code: 'conflict', message: 'The account has just been given to another provider.' };
      const accountId = account.id;
      const webhook = { of: { accountId }, kind: 'webhook', address: 'https://example.com/late' } as const;
      const vault = createVault(Buffer.alloc(32, 1));
      for (const change of [
        () => updateAccount(store, accountId, { name: 'Late' }, late, 'provider'),
        () => writeNote(store, accountId, 'Late', late),
        () => createKey(store, accountId, { label: null }, late),
        () => addInstance(store, { accountId, id: newId(), network: 'sandbox', label: null }, late),
        () => createTarget({ store, vault }, webhook, late),
      ])
        await expect(change()).rejects.toMatchObject(refused);
      expect(await showAccount(store, accountId)).toMatchObject({ name: 'Acme', live_keys: 0, numbers: 0 });
      expect(await noteOf(store, accountId)).toBeUndefined();
      expect(await listTargets(store)).toEqual([]);

      // What a network has done already is recorded.
      const done = { action: 'number.disconnect', targetId: newId(), accountId, details: {} } as const;
      expect(await store.transaction((trx) => recordAudit(trx, late, done))).toEqual(expect.any(Number));
      for (const act of [by({ providerIds: [next.id], accountIds: [] }), by({ providerIds: ['default'], accountIds: [accountId] })])
        expect(await createKey(store, accountId, { label: null }, act)).toMatchObject({ account_id: accountId });
    });

    test('a new account has nothing but a name [account.fields account.no-plan]', async () => {
      const account = await createAccount(store, { name: '  Acme ' }, at(now));
      expect(account).toMatchObject({
        name: 'Acme',
        provider_id: 'default',
        provider_name: 'default',
        status: 'active',
        plan_id: null,
        plan_name: null,
        plan_starts_at: null,
        plan_ends_at: null,
        access_ends_at: null,
        instance_limit: null,
        operator: 0,
        free_slots: null,
        trial_used: 0,
        numbers: 0,
        live_keys: 0,
        reference: null,
        created_at: now,
      });
      expect(await selectAccounts(store.db)).toEqual([account]);
      expect(await showAccount(store, account.id.toUpperCase())).toEqual(account);
    });

    test('a plan starts with its account, by name or id', async () => {
      const starter = (await listPlans(store)).find((plan) => plan.name === 'starter');
      const byName = await createAccount(store, { name: 'a', plan: 'starter', planEndsAt: now + day }, at(now));
      expect(byName).toMatchObject({ plan_name: 'starter', plan_starts_at: now, plan_ends_at: now + day, messages_per_minute: 60 });
      const byId = await createAccount(store, { name: 'a', plan: starter?.id ?? '' }, at(now));
      expect(byId).toMatchObject({ plan_name: 'starter', plan_id: starter?.id, plan_ends_at: null });
    });

    test('another plan starts anew without an end, the same plan goes on [account.fields]', async () => {
      const { id } = await createAccount(store, { name: 'a', plan: 'starter', planEndsAt: now + day }, at(now));
      expect(await updateAccount(store, id, { plan: 'starter' }, at(now + 5))).toMatchObject({
        plan_starts_at: now,
        plan_ends_at: now + day,
      });
      expect(await updateAccount(store, id, { plan: 'business' }, at(now + 5))).toMatchObject({
        plan_starts_at: now + 5,
        plan_ends_at: null,
      });
      expect(await updateAccount(store, id, { planEndsAt: now + 9 }, at(now + 6))).toMatchObject({
        plan_starts_at: now + 5,
        plan_ends_at: now + 9,
      });
      expect(await updateAccount(store, id, { planEndsAt: null }, at(now + 6))).toMatchObject({
        plan_name: 'business',
        plan_ends_at: null,
      });
      expect(await updateAccount(store, id, { plan: null }, at(now + 6))).toMatchObject({
        plan_id: null,
        plan_starts_at: null,
        plan_ends_at: null,
      });
    });

    test('changes reach the next request, and what is not named stays [account.next-request]', async () => {
      const { id } = await createAccount(store, { name: 'a', plan: 'starter', accessEndsAt: now + day, instanceLimit: 4 }, at(now));
      const { key } = await createKey(store, id, { label: null }, at(now));
      expect(await admission(key)).toMatchObject({ accountStatus: 'active', messagesPerMinute: 60, accessEndsAt: now + day });
      const changed = await updateAccount(store, id, { status: 'suspended', name: 'b' }, at(now));
      expect(changed).toMatchObject({ name: 'b', status: 'suspended', instance_limit: 4, access_ends_at: now + day, plan_name: 'starter' });
      expect(await admission(key)).toMatchObject({ accountStatus: 'suspended' });
      await updateAccount(store, id, { status: 'active', accessEndsAt: null, instanceLimit: null, plan: 'scale' }, at(now));
      expect(await admission(key)).toMatchObject({ accountStatus: 'active', accessEndsAt: null, messagesPerMinute: 1200 });
      expect(await showAccount(store, id)).toMatchObject({ instance_limit: null });
    });

    test("an operator's account needs free slots, any other has none", async () => {
      await expect(createAccount(store, { name: 'a', operator: true }, at(now))).rejects.toThrow(OperatorError);
      await expect(createAccount(store, { name: 'a', freeSlots: 3 }, at(now))).rejects.toThrow(OperatorError);
      const { id } = await createAccount(store, { name: 'a', operator: true, freeSlots: 3 }, at(now));
      expect(await updateAccount(store, id, { freeSlots: 5 }, at(now))).toMatchObject({ operator: 1, free_slots: 5 });
      expect(await updateAccount(store, id, { operator: false }, at(now))).toMatchObject({ operator: 0, free_slots: null });
      await expect(updateAccount(store, id, { freeSlots: 1 }, at(now))).rejects.toThrow("only an operator's own account has free slots");
    });

    test('a change is done wholly or not at all', async () => {
      const before = await createAccount(store, { name: 'a', plan: 'trial' }, at(now));
      for (const bad of [
        { plan: 'nope' },
        { providerId: 'nope' },
        { plan: null, planEndsAt: now },
        { instanceLimit: -1 },
        { freeSlots: 1.5 },
      ]) {
        await expect(updateAccount(store, before.id, { name: 'b', ...bad }, at(now))).rejects.toThrow(OperatorError);
      }
      expect(await selectAccounts(store.db)).toEqual([before]);
    });

    test('counts numbers, live keys and the used trial', async () => {
      const { id } = await createAccount(store, { name: 'a', plan: 'starter' }, at(now));
      await addInstance(store, { accountId: id, id: newId(), network: 'sandbox', label: null }, at(now));
      await createKey(store, id, { label: null }, at(now));
      await revokeKey(store, (await createKey(store, id, { label: null }, at(now))).id, at(now));
      await createPassingKey(store, id, { ttlMs: 1000, now });
      await store.db.updateTable('accounts').set({ trial_used: 7 }).execute();
      expect(await updateAccount(store, id, { name: 'b', plan: 'trial' }, at(now))).toMatchObject({
        numbers: 1,
        live_keys: 1,
        trial_used: 7,
      });
    });

    test('unknown accounts are told in one line', async () => {
      const unknown = new OperatorError('there is no account "no\\nsuch"');
      await expect(showAccount(store, 'no\nsuch')).rejects.toThrow(unknown);
      await expect(updateAccount(store, 'no\nsuch', { name: 'x' }, at(now))).rejects.toThrow(unknown);
      await expect(createKey(store, 'no\nsuch', { label: null }, at(now))).rejects.toThrow(unknown);
      await expect(createPassingKey(store, 'no\nsuch', { ttlMs: 1, now })).rejects.toThrow(unknown);
      await expect(listKeys(store, 'no\nsuch')).rejects.toThrow(unknown);
      await expect(listNumbers(store, 'no\nsuch')).rejects.toThrow(unknown);
    });

    test.each(['', '   ', 'x'.repeat(101), 'a\u001b[31m', 'two\nlines'])('%j is no name', async (name) => {
      await expect(createAccount(store, { name }, at(now))).rejects.toThrow(OperatorError);
      await expect(createProvider(store, { name }, at(now))).rejects.toThrow(OperatorError);
      await expect(createPlan(store, { name, messagesPerMinute: 1, instanceLimit: 1 }, at(now))).rejects.toThrow(OperatorError);
      expect(await selectAccounts(store.db)).toEqual([]);
    });
  });

  test('providers are created, changed and suspended with all their accounts [provider.accounts]', async () => {
    const provider = await createProvider(store, { name: 'north' }, at(now));
    expect(provider).toMatchObject({ name: 'north', status: 'active', number_capacity: null });
    const { id } = await createAccount(store, { name: 'a', plan: 'trial', providerId: provider.id }, at(now));
    const { key } = await createKey(store, id, { label: null }, at(now));
    expect(await updateProvider(store, provider.id, { numberCapacity: 9, status: 'suspended' }, at(now))).toMatchObject({
      number_capacity: 9,
      status: 'suspended',
    });
    expect(await admission(key)).toMatchObject({ accountStatus: 'active', providerStatus: 'suspended' });
    await updateAccount(store, id, { providerId: 'default' }, at(now));
    expect(await admission(key)).toMatchObject({ providerStatus: 'active' });
    expect(await updateProvider(store, provider.id, { name: 'south', numberCapacity: null, status: 'active' }, at(now))).toEqual({
      ...provider,
      name: 'south',
    });
    expect((await listProviders(store)).map((each) => each.name).sort()).toEqual(['default', 'south']);
    await expect(updateProvider(store, 'nope', { name: 'x' }, at(now))).rejects.toThrow(
      new OperatorError('there is no provider "nope"', { field: 'provider_id' }),
    );
    await expect(updateProvider(store, provider.id, { numberCapacity: -1 }, at(now))).rejects.toThrow(OperatorError);
  });

  test('numbers and requests are found', async () => {
    const { id } = await createAccount(store, { name: 'a', plan: 'starter' }, at(now));
    const second = await addInstance(store, { accountId: id, id: newId(), network: 'sandbox', label: null }, at(now + 1));
    const first = await addInstance(store, { accountId: id, id: newId(), network: 'sandbox', label: 'x' }, at(now));
    expect(await listNumbers(store, id)).toEqual([first, second]);
    expect(await findNumber(store, first.id.toUpperCase())).toEqual(first);
    await expect(findNumber(store, 'nope')).rejects.toThrow(new OperatorError('there is no number "nope"'));

    const request_id = newId();
    await logRequest(store, requestRecord({ request_id, at: now }));
    expect(await findRequest(store, request_id.toUpperCase())).toMatchObject({
      request_id,
      path: '/health',
      status: 200,
      account_id: null,
    });
    await expect(findRequest(store, newId())).rejects.toThrow(/^the request log has no request "/);
  });
});
