import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  addInstance,
  createAccount,
  createKey,
  createPassingKey,
  createPlan,
  createProvider,
  listPlans,
  revokeKey,
  updateAccount,
  updatePlan,
  updateProvider,
} from '../../src/accounts/index.ts';
import type { Act, Actor } from '../../src/audit/index.ts';
import { hashApiKey, newId } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { auditOf } from '../support/audit.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';

const now = Date.UTC(2026, 5, 1);
const iso = new Date(now).toISOString();
const day = 24 * 60 * 60 * 1000;
const ada: Actor = { kind: 'user', id: 'user-1', name: 'ada@example.com' };
const byAda: Act = { actor: ada, now };

describe.each(storeKinds)('the audit log on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeEach(async () => {
    store = await openTestStore(kind);
  });
  afterEach(() => store.dispose());

  const added = (work: () => Promise<unknown>) => auditOf(store, work);
  const createdAccount = () => createAccount(store, { name: 'Acme', plan: 'starter' }, at(now));

  describe('has one row for every change', () => {
    const actor = { at: now, actor_kind: 'user', actor_id: 'user-1', actor_name: 'ada@example.com' };

    test('of an account', async () => {
      const rows = await added(async () => {
        const { id } = await createAccount(store, { name: 'Acme', plan: 'trial' }, byAda);
        await updateAccount(store, id, { name: 'Acme Ltd', plan: 'starter', planEndsAt: now + day, instanceLimit: 4 }, byAda);
        await updateAccount(store, id, { status: 'suspended' }, byAda);
        await updateAccount(store, id, { status: 'active', accessEndsAt: now + day }, byAda);
        await updateAccount(store, id, { operator: true, freeSlots: 2 }, { actor: ada, now: now + 5 });
      });
      const id = rows[0]?.account_id;
      const target = { target_kind: 'account', target_id: id, target_name: 'Acme Ltd', account_id: id, provider_id: 'default' };
      const until = new Date(now + day).toISOString();
      expect(rows).toEqual([
        {
          id: expect.any(Number),
          ...actor,
          ...target,
          account_name: 'Acme Ltd',
          action: 'account.create',
          details: {
            name: { from: null, to: 'Acme' },
            provider_id: { from: null, to: 'default' },
            status: { from: null, to: 'active' },
            plan: { from: null, to: 'trial' },
            plan_starts_at: { from: null, to: iso },
            operator: { from: null, to: false },
          },
        },
        expect.objectContaining({
          ...actor,
          ...target,
          action: 'account.update',
          details: {
            name: { from: 'Acme', to: 'Acme Ltd' },
            plan: { from: 'trial', to: 'starter' },
            plan_ends_at: { from: null, to: until },
            instance_limit: { from: null, to: 4 },
          },
        }),
        expect.objectContaining({
          ...actor,
          ...target,
          action: 'account.suspend',
          details: { status: { from: 'active', to: 'suspended' } },
        }),
        expect.objectContaining({
          ...actor,
          ...target,
          action: 'account.resume',
          details: { status: { from: 'suspended', to: 'active' }, access_ends_at: { from: null, to: until } },
        }),
        expect.objectContaining({
          ...actor,
          ...target,
          at: now + 5,
          action: 'account.update',
          details: { operator: { from: false, to: true }, free_slots: { from: null, to: 2 } },
        }),
      ]);
    });

    test('of a plan', async () => {
      const rows = await added(async () => {
        await createPlan(store, { name: 'pro', messagesPerMinute: 600, instanceLimit: 50 }, byAda);
        await updatePlan(store, 'pro', { name: 'max', trialMessages: 9 }, byAda);
      });
      const plan = (await listPlans(store)).find(({ name }) => name === 'max');
      const target = {
        target_kind: 'plan',
        target_id: plan?.id,
        target_name: 'max',
        account_id: null,
        account_name: null,
        provider_id: null,
      };
      expect(rows).toMatchObject([
        {
          ...actor,
          ...target,
          action: 'plan.create',
          details: {
            name: { from: null, to: 'pro' },
            messages_per_minute: { from: null, to: 600 },
            instance_limit: { from: null, to: 50 },
          },
        },
        {
          ...actor,
          ...target,
          action: 'plan.update',
          details: { name: { from: 'pro', to: 'max' }, trial_message_limit: { from: null, to: 9 } },
        },
      ]);
    });

    test('of a provider, also of an account that moves to it', async () => {
      const account = await createdAccount();
      const rows = await added(async () => {
        const { id } = await createProvider(store, { name: 'north' }, byAda);
        await updateProvider(store, id, { numberCapacity: 9 }, byAda);
        await updateProvider(store, id, { status: 'suspended' }, byAda);
        await updateProvider(store, id, { status: 'active', name: 'south' }, byAda);
        await updateAccount(store, account.id, { providerId: id }, byAda);
      });
      const id = rows[0]?.target_id;
      const target = { target_kind: 'provider', target_id: id, target_name: 'south', account_id: null, provider_id: id };
      expect(rows).toMatchObject([
        {
          ...actor,
          ...target,
          action: 'provider.create',
          details: { name: { from: null, to: 'north' }, status: { from: null, to: 'active' } },
        },
        { ...actor, ...target, action: 'provider.update', details: { number_capacity: { from: null, to: 9 } } },
        { ...actor, ...target, action: 'provider.suspend', details: { status: { from: 'active', to: 'suspended' } } },
        {
          ...actor,
          ...target,
          action: 'provider.resume',
          details: { status: { from: 'suspended', to: 'active' }, name: { from: 'north', to: 'south' } },
        },
        { ...actor, action: 'account.update', provider_id: id, details: { provider_id: { from: 'default', to: id } } },
      ]);
    });

    test('of a key, and never the key itself', async () => {
      const account = await createdAccount();
      let key = '';
      const rows = await added(async () => {
        const made = await createKey(store, account.id, { label: 'shop' }, byAda);
        key = made.key;
        await revokeKey(store, made.id, byAda);
      });
      const prefix = key.slice(0, 12);
      const target = { target_kind: 'key', target_name: prefix, account_id: account.id, account_name: 'Acme', provider_id: 'default' };
      expect(rows).toMatchObject([
        { ...actor, ...target, action: 'key.create', details: { prefix: { from: null, to: prefix }, label: { from: null, to: 'shop' } } },
        { ...actor, ...target, action: 'key.revoke', details: { prefix: { from: prefix, to: null }, label: { from: 'shop', to: null } } },
      ]);
      const stored = JSON.stringify(await store.db.selectFrom('audit_log').selectAll().execute());
      expect(stored).toContain(prefix);
      for (const secret of [key, key.slice(13), hashApiKey(key)]) expect(stored).not.toContain(secret);
    });

    test('of a number', async () => {
      const account = await createdAccount();
      const id = newId();
      const rows = await added(() => addInstance(store, { accountId: account.id, id, network: 'sandbox', label: 'desk' }, byAda));
      expect(rows).toMatchObject([
        {
          ...actor,
          action: 'number.create',
          target_kind: 'number',
          target_id: id,
          target_name: 'desk',
          account_id: account.id,
          provider_id: 'default',
          details: { label: { from: null, to: 'desk' }, network: { from: null, to: 'sandbox' } },
        },
      ]);
    });
  });

  test('names who acted: a user, a key by its prefix, the command line, the gateway', async () => {
    const account = await createdAccount();
    const { key, id } = await createKey(store, account.id, { label: null }, at(now));
    const passing = await createPassingKey(store, account.id, { ttlMs: 1000, now });
    const gone = await createPassingKey(store, account.id, { ttlMs: 1000, now });
    await store.db.deleteFrom('api_keys').where('id', '=', gone.id).execute();
    const actors: Actor[] = [
      ada,
      { kind: 'key', id },
      { kind: 'command_line' },
      { kind: 'system' },
      { kind: 'key', id: passing.id },
      { kind: 'key', id: gone.id },
    ];
    const rows = await added(async () => {
      for (const [i, actor] of actors.entries()) await updateAccount(store, account.id, { name: `name ${i}` }, { actor, now });
    });
    const commandLine = { actor_kind: 'command_line', actor_id: null, actor_name: null };
    expect(rows.map(({ actor_kind, actor_id, actor_name }) => ({ actor_kind, actor_id, actor_name }))).toEqual([
      { actor_kind: 'user', actor_id: 'user-1', actor_name: 'ada@example.com' },
      { actor_kind: 'key', actor_id: id, actor_name: key.slice(0, 12) },
      commandLine,
      { actor_kind: 'system', actor_id: null, actor_name: null },
      commandLine,
      commandLine,
    ]);
  });
});
