import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccount, createKey, createProvider, updateAccount } from '../../src/accounts/index.ts';
import { findAudit, listAudit } from '../../src/audit/index.ts';
import { LastingTime, OperatorError } from '../../src/core/index.ts';
import type { ListRequest, Store } from '../../src/store/index.ts';
import { createRetention } from '../../src/store/retention.ts';
import { at } from '../support/act.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
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
