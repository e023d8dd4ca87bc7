import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { selectRequest } from '../../src/requests/queries.ts';
import { type NewSandboxMessage, type RequestRecord, releaseOnce, type Store } from '../../src/store/index.ts';
import { logRequest, requestRecord } from '../support/request-log.ts';
import { storeKinds, type TestDatabase } from '../support/stores.ts';
import { monthsOfDays, noted } from '../support/usage-months.ts';
import { waitFor } from '../support/wait-for.ts';
import { day, forbidden, keyed, openSeeded, type Seeded, said, seed, start } from './seed.ts';

describe.each(storeKinds)('settle, deliver, log and transaction on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  let account: Seeded;
  beforeEach(async () => {
    ({ database, store, account } = await openSeeded(kind));
  });

  const message = (id: string, values: Partial<NewSandboxMessage> = {}): NewSandboxMessage => ({
    account_id: account.accountId,
    message_id: id,
    from_number: '4915',
    to_number: '4916',
    type: 'text',
    content: id,
    quoted: null,
    received_at: start,
    ...values,
  });
  it('counts thousands of simultaneous sends exactly', async () => {
    const second = await database.open();
    const other = await seed(store);
    const types = ['text', 'image', 'poll'];
    const days = [day, '2026-02-01'];
    await Promise.all(
      Array.from({ length: 6000 }, (_, i) => {
        const call = { type: types[i % 3] ?? '', day: days[Math.floor(i / 3) % 2] ?? '' };
        return (i % 2 === 0 ? store : second).hot.settle((i % 5 === 0 ? other : account).settle(call));
      }),
    );
    const rows = await store.db.selectFrom('usage_sends').selectAll().execute();
    expect(rows).toHaveLength(12);
    expect(await noted(store.db)).toEqual(await monthsOfDays(store.db));
    for (const row of rows) expect(row.count).toBe(row.account_id === other.accountId ? 200 : 800);
  });

  it('stores what the network said with the key, and uses the trial unit once', async () => {
    const call = account.claim({ keyed: keyed('a'), trialLimit: 5 });
    await store.hot.claim(call);
    await store.hot.settle(account.settle({ keyed: said('a', '{},\\"\\\\\u2028é'), reservation: call.requestId }));
    expect(await store.hot.claim(account.claim({ keyed: keyed('a') }))).toEqual({
      outcome: 'replay',
      messageId: keyed('a').messageId,
      providerStatus: '{},\\"\\\\\u2028é',
    });
    const { trial_used } = await store.db.selectFrom('accounts').select('trial_used').executeTakeFirstOrThrow();
    expect(trial_used).toBe(1);
    expect(await store.db.selectFrom('trial_reservations').selectAll().execute()).toEqual([]);
  });

  it('fails a broken settle alone', async () => {
    const calls = [account.settle(), account.settle({ type: forbidden }), account.settle({ type: 'poll' }), account.settle()];
    const outcomes = await Promise.allSettled(calls.map((call) => store.hot.settle(call)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const rows = await store.db.selectFrom('usage_sends').select(['type', 'count']).orderBy('type').execute();
    expect(rows).toEqual([
      { type: 'poll', count: 1 },
      { type: 'text', count: 2 },
    ]);
  });

  it('releases a claim and its trial unit', async () => {
    const call = account.claim({ keyed: keyed('a'), trialLimit: 1 });
    await store.hot.claim(call);
    const { requestId } = call;
    await store.hot.release({ requestId, accountId: account.accountId, key: 'a', handedOver: false, reservation: requestId });
    expect(await store.db.selectFrom('claims').selectAll().execute()).toEqual([]);
    expect(await store.hot.claim(account.claim({ trialLimit: 1 }))).toMatchObject({ outcome: 'claimed' });
  });

  it('delivers a message id to a contact once [sandbox.one-copy]', async () => {
    const calls = [message('1', { content: 'first' }), message('1'), message('1', { to_number: '4917' }), message('2'), message('1')];
    expect(await Promise.all(calls.map((call) => store.deliverToSandbox(call)))).toEqual([true, false, true, true, false]);
    expect(await store.deliverToSandbox(message('1'))).toBe(false);
    const kept = await store.db
      .selectFrom('sandbox_messages')
      .select(['message_id', 'content'])
      .where('to_number', '=', '4916')
      .orderBy('id')
      .execute();
    expect(kept).toEqual([
      { message_id: '1', content: 'first' },
      { message_id: '2', content: '2' },
    ]);
  });

  it('fails a broken delivery alone and keeps the order', async () => {
    const calls = [message('c'), message('b', { content: forbidden }), message('a')];
    const outcomes = await Promise.allSettled(calls.map((call) => store.deliverToSandbox(call)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const kept = await store.db.selectFrom('sandbox_messages').select('message_id').orderBy('id').execute();
    expect(kept.map((row) => row.message_id)).toEqual(['c', 'a']);
  });

  it('has a request in the log within a second, all fields of it [log.late]', async () => {
    const full: RequestRecord = {
      request_id: newId(),
      at: start,
      duration_ms: 1.23456789,
      account_id: 'a',
      key_id: 'k',
      person_id: null,
      person_email: null,
      method: 'POST',
      path: '/v1/messages/text',
      status: 404,
      code: 'not_found',
      error_message: null,
      instance_id: 'i',
      message_type: 'text',
      message_id: 'm',
      recipient: '4916',
      media_host: null,
      idempotency: 'new',
      stages: { admission: 0, validation: 0.012, claim: 1.5, media: null, network: 29_999.999, settle: null },
    };
    store.hot.log(full);
    await waitFor(async () => expect(await selectRequest(store.db, full.request_id)).toEqual(full));
    const byPerson = { ...full, request_id: newId(), key_id: null, person_id: 'p', person_email: 'ada@example.com' };
    await logRequest(store, byPerson);
    expect(await selectRequest(store.db, byPerson.request_id)).toEqual(byPerson);
    const withFile = { ...full, request_id: newId(), error_message: 'It is gone.', media_host: 'files.example.com' };
    await logRequest(store, withFile);
    expect(await selectRequest(store.db, withFile.request_id)).toEqual(withFile);
    const plain = requestRecord({ request_id: newId(), at: start });
    await logRequest(store, plain);
    expect(await selectRequest(store.db, plain.request_id)).toEqual(plain);
    expect(await selectRequest(store.db, newId())).toBeUndefined();
    expect(await selectRequest(store.db, 'nonsense')).toBeUndefined();
  });

  it('writes the log on close, and never throws for it', async () => {
    const ids = Array.from({ length: 1500 }, newId);
    ids.forEach((request_id, i) => {
      store.hot.log(requestRecord({ request_id, at: start + i, account_id: i % 3 === 0 ? null : `account ${i % 3}` }));
    });
    await store.close();
    const again = await database.open();
    const records = await again.db.selectFrom('requests').select('request_id').orderBy('id').execute();
    expect(records.map((record) => record.request_id)).toEqual(ids);
    for (const i of [0, 1, 749, 1499]) {
      expect(await selectRequest(again.db, ids[i] ?? '')).toMatchObject({ request_id: ids[i], at: start + i });
    }
    again.hot.log(requestRecord({ request_id: newId(), at: start, account_id: forbidden }));
    await again.close();
  });

  it('does all of a transaction or nothing', async () => {
    const rename = (name: string, fail: boolean) =>
      store.transaction(async (trx) => {
        await trx.updateTable('accounts').set({ name }).execute();
        if (fail) throw new Error('changed my mind');
        return name;
      });
    await expect(rename('Bea', true)).rejects.toThrow('changed my mind');
    expect(await rename('Eva', false)).toBe('Eva');
    expect(await store.db.selectFrom('accounts').select('name').execute()).toEqual([{ name: 'Eva' }]);
  });

  /** Renames two accounts; two of forty in the opposite order, so that they and the others would wait for each other for ever. */
  async function renameBoth(trx: Store['db'], i: number, [one, other]: readonly [string, string]): Promise<void> {
    for (const id of i % 20 > 0 ? [one, other] : [other, one]) {
      await trx
        .updateTable('accounts')
        .set({ name: `n${i}` })
        .where('id', '=', id)
        .execute();
    }
  }

  it('does again what a deadlock ended, until a crowd of transactions is through', async () => {
    const both = [account.accountId, (await seed(store)).accountId] as const;
    for (let round = 0; round < 2; round++) {
      await Promise.all(Array.from({ length: 40 }, (_, i) => store.transaction((trx) => renameBoth(trx, i, both))));
    }
    // Whole ones: the last of them has renamed both.
    const [one, other] = await store.db.selectFrom('accounts').select('name').execute();
    expect(one).toEqual(other);
  });

  it('stays accepted when its sender never learned that it was, and undoes the claim', async () => {
    const call = account.claim({ keyed: keyed('a') });
    await store.hot.claim(call);
    await store.hot.settle(account.settle({ keyed: said('a', 'PENDING') }));
    await store.hot.release({ requestId: call.requestId, accountId: account.accountId, key: 'a', handedOver: true, reservation: null });
    expect(await store.hot.claim(account.claim({ keyed: keyed('a') }))).toMatchObject({ outcome: 'replay', providerStatus: 'PENDING' });
  });

  it('keeps what the network said of each of many sends of several accounts that end together', async () => {
    const accounts = [account, await seed(store)];
    const sends = accounts.flatMap((of) =>
      Array.from({ length: 45 }, (_, i) => ({ of, key: `k${i}`, providerStatus: [null, 'null', 'PENDING', ''][i % 4] ?? null })),
    );
    await Promise.all(sends.map(({ of, key }) => store.hot.claim(of.claim({ keyed: keyed(key) }))));
    await Promise.all(sends.map(({ of, key, providerStatus }) => store.hot.settle(of.settle({ keyed: said(key, providerStatus) }))));
    for (const { of, key, providerStatus } of sends) {
      expect(await store.hot.claim(of.claim({ keyed: keyed(key) }))).toEqual({
        outcome: 'replay',
        messageId: keyed(key).messageId,
        providerStatus,
      });
    }
  });

  describe('a pending release', () => {
    const release = (requestId: string, handedOver: boolean) =>
      store.transaction((trx) =>
        releaseOnce(trx, { requestId, accountId: account.accountId, key: 'a', handedOver, reservation: requestId }),
      );
    const claim = (requestId: string) => store.hot.claim(account.claim({ keyed: keyed('a'), trialLimit: 9, requestId }));

    it('frees the key and the unit of its own request', async () => {
      await claim('first');
      await release('first', false);
      expect(await claim('second')).toMatchObject({ outcome: 'claimed', retaken: false });
      expect(await store.db.selectFrom('trial_reservations').select('id').execute()).toEqual([{ id: 'second' }]);
    });

    it.each([true, false])('leaves the claim of a request that took the key over (handed over: %s)', async (handedOver) => {
      await claim('first');
      await store.hot.release({ requestId: 'first', accountId: account.accountId, key: 'a', handedOver: true, reservation: null });
      expect(await claim('second')).toMatchObject({ outcome: 'claimed', retaken: true });
      await release('first', handedOver);
      expect(await claim('third')).toEqual({ outcome: 'in_flight', owner: 'second', here: true });
      await store.hot.settle(account.settle({ keyed: said('a'), reservation: 'second' }));
      await release('second', false);
      expect(await claim('third')).toMatchObject({ outcome: 'replay' });
    });
  });

  it('runs transactions amid hot-path calls', async () => {
    const second = await seed(store);
    const rounds = Array.from({ length: 40 }, async (_, i) => {
      const call = account.claim({ trialLimit: 1000, keyed: keyed(`k${i}`) });
      await Promise.all([
        store.hot.admit({ keyHash: account.keyHash, now: start + i * 1000 }),
        store.hot
          .claim(call)
          .then(() => store.hot.settle(account.settle({ reservation: call.requestId, keyed: said(`k${i}`, 'PENDING') }))),
        store.transaction(async (trx) => {
          await renameBoth(trx, i, [account.accountId, second.accountId]);
          await trx
            .updateTable('api_keys')
            .set({ label: `l${i}` })
            .execute();
        }),
      ]);
    });
    await Promise.all(rounds);
    const { trial_used } = await store.db
      .selectFrom('accounts')
      .select('trial_used')
      .where('id', '=', account.accountId)
      .executeTakeFirstOrThrow();
    expect(trial_used).toBe(40);
  });
});
