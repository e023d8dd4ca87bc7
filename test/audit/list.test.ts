import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addInstance, createAccount, createKey, createProvider, updateAccount, writeNote } from '../../src/accounts/index.ts';
import { findAudit, listAudit } from '../../src/audit/index.ts';
import { LastingTime, newId, OperatorError } from '../../src/core/index.ts';
import { deleteInstance, linkInstance } from '../../src/sessions/instance-changes.ts';
import { type ListRequest, type Store, schemaChanges } from '../../src/store/index.ts';
import { createRetention } from '../../src/store/retention.ts';
import { at } from '../support/act.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const now = Date.UTC(2026, 5, 1);
const day = 24 * 60 * 60 * 1000;

describe.each(storeKinds)('the audit log is listed on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeEach(async () => {
    store = await openTestStore(kind);
  });
  afterEach(() => store.dispose());

  test('newest first, in pages that hold everything once', async () => {
    const account = await createAccount(store, { name: 'Acme' }, at(now));
    for (let i = 0; i < 6; i++) await updateAccount(store, account.id, { name: `name ${i}` }, at(now + i));
    const whole = await listAudit(store, { limit: 1000 });
    expect(whole.map(({ details }) => details.name?.to)).toEqual([5, 4, 3, 2, 1, 0].map((i) => `name ${i}`).concat('Acme'));
    for (const limit of [1, 2, 7, 8]) {
      const paged = [];
      for (let from: ListRequest<'at'>['from'] = null; ; ) {
        const page = await findAudit(store, {}, { sort: 'at', descending: true, from, limit });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        paged.push(...page.rows);
        if (page.next === null) break;
        from = { mark: page.next, direction: 'after' };
      }
      expect(paged).toEqual(whole);
    }
  });

  test('by account, provider and action', async () => {
    const north = await createProvider(store, { name: 'north' }, at(now));
    const first = await createAccount(store, { name: 'first', providerId: north.id }, at(now));
    const second = await createAccount(store, { name: 'second' }, at(now));
    await createKey(store, first.id, { label: null }, at(now));
    await createKey(store, second.id, { label: null }, at(now));
    await updateAccount(store, first.id, { providerId: 'default' }, at(now));
    const told = async (filter: Omit<Parameters<typeof listAudit>[1], 'limit'>) =>
      (await listAudit(store, { ...filter, limit: 50 })).map(({ action, account_name }) => [action, account_name]);
    expect(await told({ accountId: first.id.toUpperCase() })).toEqual([
      ['account.update', 'first'],
      ['key.create', 'first'],
      ['account.create', 'first'],
    ]);
    // What happened while the account was north's stays north's; that it left, and what it is called since, is told where it went.
    expect(await told({ providerIds: [north.id] })).toEqual([
      ['key.create', null],
      ['account.create', null],
      ['provider.create', null],
    ]);
    expect(await told({ actions: ['key.create', 'provider.create'] })).toEqual([
      ['key.create', 'second'],
      ['key.create', 'first'],
      ['provider.create', null],
    ]);
    expect(await told({ accountId: first.id, providerIds: [north.id], actions: ['key.create'] })).toEqual([['key.create', null]]);
    await updateAccount(store, first.id, { providerId: north.id }, at(now));
    expect(await told({ providerIds: [north.id], actions: ['key.create'] })).toEqual([['key.create', 'first']]);
    expect(await told({ providerIds: ['nope'] })).toEqual([]);
  });

  test('of an account that moved: each provider reads its own reference, and the former one no later name', async () => {
    const north = await createProvider(store, { name: 'north' }, at(now));
    const south = await createProvider(store, { name: 'south' }, at(now));
    const { id } = await createAccount(store, { name: 'first', providerId: north.id }, at(now));
    await updateAccount(store, id, { reference: 'N-1' }, at(now));
    await writeNote(store, id, 'Pays late.', at(now));
    await updateAccount(store, id, { providerId: south.id, name: 'later', reference: 'S-1' }, at(now));
    const told = async (providerId: string) =>
      (await listAudit(store, { providerIds: [providerId], limit: 50 })).map(({ action, target_name, details }) => [
        action,
        target_name,
        details.reference,
      ]);
    expect(await told(north.id)).toEqual([
      ['account.update', null, { from: 'N-1', to: null }],
      ['account.note', null, undefined],
      ['account.update', null, { from: null, to: 'N-1' }],
      ['account.create', null, undefined],
      ['provider.create', 'north', undefined],
    ]);
    expect(await told(south.id)).toEqual([
      ['account.update', 'later', undefined],
      ['account.update', 'later', { from: null, to: 'S-1' }],
      ['provider.create', 'south', undefined],
    ]);
    expect(await listAudit(store, { providerIds: [north.id], name: 'later', limit: 50 })).toEqual([]);
  });

  test('by what something was called, also when it is gone', async () => {
    const account = await createAccount(store, { name: 'Ñandú Bakery', plan: 'starter' }, at(now));
    await updateAccount(store, account.id, { name: 'Corner Shop' }, at(now + 1));
    await updateAccount(store, account.id, { status: 'suspended' }, at(now + 2));
    const { id } = await addInstance(
      store,
      { id: newId(), accountId: account.id, label: 'Berlin-Mitte 100%', network: 'sandbox' },
      at(now + 3),
    );
    await linkInstance(store, { id, lease: null, accountId: account.id }, { phone_number: '491710000100' }, at(now + 4));
    await deleteInstance(store, { id, lease: null }, at(now + 5));
    const found = async (name: string) => (await listAudit(store, { name, limit: 50 })).map(({ action }) => action);
    expect(await found('ÑANDÚ')).toEqual(['account.update', 'account.create']);
    expect(await found(' bakery ')).toEqual(['account.update', 'account.create']);
    expect(await found('shop')).toEqual(['account.suspend', 'account.update']);
    expect(await found('mitte 100%')).toEqual(['number.delete', 'number.link', 'number.create']);
    expect(await found('+49 171 0000')).toEqual(['number.delete', 'number.link']);
    for (const name of ['erlin', '%', '_akery', account.id]) expect(await found(name)).toEqual([]);
    await createAccount(store, { name: '2026-11 campaign' }, at(now + 6));
    expect(await found('2026-11')).toEqual(['account.create']);
  });

  test('by the beginning of two long names that differ in the character at which it ends', async () => {
    const long = 'a'.repeat(99);
    const { id } = await createAccount(store, { name: `${long}😀` }, at(now));
    await updateAccount(store, id, { name: `${long}🤖` }, at(now + 1));
    expect((await listAudit(store, { name: long, limit: 50 })).map(({ action }) => action)).toEqual(['account.update', 'account.create']);
  });

  test('by the names in entries that an earlier release wrote', async () => {
    const database = await createTestDatabase(kind, { empty: true });
    const { '0001-first-schema': first } = schemaChanges(kind);
    const before = await database.open({ changes: first === undefined ? {} : { '0001-first-schema': first } });
    await before.migrate();
    const entry = { at: now, actor_kind: 'system', target_kind: 'number', target_id: 'n1' } as const;
    for (const [action, details] of [
      ['number.create', { label: { from: null, to: 'Old' } }],
      ['number.rename', { label: { from: 'Old', to: 'New shop' } }],
      ['number.budget', {}],
      ['number.delete', { label: { from: 'New shop', to: null } }],
    ] as const)
      await before.db
        .insertInto('audit_log')
        .values({ ...entry, action, details: JSON.stringify(details) })
        .execute();
    await before.close();
    const after = await database.open();
    await after.migrate();
    const found = async (name: string) => (await listAudit(after, { name, limit: 50 })).map(({ action }) => action);
    expect(await found('old')).toEqual(['number.rename', 'number.create']);
    expect(await found('shop')).toEqual(['number.delete', 'number.budget', 'number.rename']);
    await database.dispose();
  });

  test('within bounds, of accounts that exist', async () => {
    for (const limit of [0, -1, 1001, 1.5, Number.NaN]) await expect(listAudit(store, { limit })).rejects.toThrow(OperatorError);
    await expect(listAudit(store, { accountId: 'nope', limit: 1 })).rejects.toThrow(new OperatorError('there is no account "nope"'));
  });

  test('for 400 days', async () => {
    const account = await createAccount(store, { name: 'Acme' }, at(now));
    await updateAccount(store, account.id, { name: 'old' }, at(now));
    await updateAccount(store, account.id, { name: 'new' }, at(now + day));
    const clock = createManualClock(now + 400 * day);
    const retention = createRetention({
      db: store.db,
      dialect: store.dialect,
      clock,
      time: new LastingTime(clock),
      recorded: () => null,
      keepSentMs: 0,
      log: { error: (fields) => expect.unreachable(JSON.stringify(fields)) },
    });
    await waitFor(async () => {
      clock.advance(60_000);
      expect(await listAudit(store, { limit: 10 })).toMatchObject([{ details: { name: { from: 'old', to: 'new' } } }]);
    });
    await retention.stop();
  });
});
