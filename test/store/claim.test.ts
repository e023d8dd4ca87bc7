import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import type { ClaimOutcome, Store } from '../../src/store/index.ts';
import { setDatabaseClock } from '../support/database-clock.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { holder, keyed, openSeeded, type Seeded, said, seed, start } from './seed.ts';

const windowMs = 24 * 60 * 60 * 1000;
const claimed = { outcome: 'claimed', retaken: false };
const retaken = { outcome: 'claimed', retaken: true };

describe.each(storeKinds)('claim on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  let account: Seeded;
  beforeEach(async () => {
    ({ database, store, account } = await openSeeded(kind));
    await timeIs(start);
  });

  /** PostgreSQL judges by its own time; the embedded store is told the time with each call. */
  const timeIs = async (now: number) => {
    if (kind === 'postgres') await setDatabaseClock(store.db, { at: now });
  };
  const claim = async (call?: Parameters<Seeded['claim']>[0]) => {
    if (call?.now !== undefined) await timeIs(call.now);
    return store.hot.claim(account.claim(call));
  };
  const settle = (call?: Parameters<Seeded['settle']>[0]) => store.hot.settle(account.settle(call));
  const release = async (key: string | null, handedOver: boolean, reservation: string | null = null) =>
    store.hot.release({ requestId: await holder(store, account, key), accountId: account.accountId, key, handedOver, reservation });

  it('knows only the instances of the account', async () => {
    const other = await seed(store);
    expect(await claim()).toMatchObject(claimed);
    expect(await claim({ instanceId: newId(), linked: false, trialLimit: 0 })).toEqual({ outcome: 'instance_not_found' });
    expect(await claim({ instanceId: other.instanceId })).toEqual({ outcome: 'instance_not_found' });
  });

  it('judges the link after the instance and before the trial', async () => {
    expect(await claim({ linked: false, trialLimit: 0 })).toEqual({ outcome: 'not_connected' });
    expect(await claim({ trialLimit: 0 })).toEqual({ outcome: 'trial_exhausted' });
    expect(await claim({ trialLimit: 1 })).toMatchObject(claimed);
    expect(await claim({ trialLimit: 1 })).toEqual({ outcome: 'trial_exhausted' });
  });

  it('judges the idempotency record before everything else', async () => {
    const gone = { instanceId: newId(), linked: false, trialLimit: 0 };
    expect(await claim({ keyed: keyed('a') })).toMatchObject(claimed);
    expect(await claim({ keyed: keyed('a'), ...gone })).toMatchObject({ outcome: 'in_flight', here: true });
    expect(await claim({ keyed: keyed('a', 'other'), ...gone })).toEqual({ outcome: 'reused' });
    await settle({ keyed: said('a', 'PENDING') });
    expect(await claim({ keyed: { ...keyed('a'), messageId: 'another' }, ...gone })).toEqual({
      outcome: 'replay',
      messageId: keyed('a').messageId,
      providerStatus: 'PENDING',
    });
    expect(await claim({ keyed: keyed('a', 'other'), ...gone })).toEqual({ outcome: 'reused' });
    expect(await store.db.selectFrom('trial_reservations').selectAll().execute()).toEqual([]);
  });

  it('claims nothing when something stands in the way', async () => {
    for (const call of [{ instanceId: newId() }, { linked: false }, { trialLimit: 0 }]) await claim({ keyed: keyed('a'), ...call });
    expect(await store.db.selectFrom('claims').selectAll().execute()).toEqual([]);
    expect(await claim({ keyed: keyed('a', 'other') })).toMatchObject(claimed);
  });

  it('keeps keys apart by account', async () => {
    const other = await seed(store);
    expect(await claim({ keyed: keyed('a') })).toMatchObject(claimed);
    expect(await store.hot.claim(other.claim({ keyed: keyed('a', 'other') }))).toMatchObject(claimed);
  });

  it('frees the key of a send that failed before its hand-over', async () => {
    await claim({ keyed: keyed('a') });
    await release('a', false);
    expect(await claim({ keyed: keyed('a', 'other') })).toMatchObject(claimed);
  });

  it('lets a send with an unknown outcome be taken again, by the same body only', async () => {
    await claim({ keyed: keyed('a') });
    await release('a', true);
    expect(await claim({ keyed: keyed('a', 'other') })).toEqual({ outcome: 'reused' });
    expect(await claim({ keyed: keyed('a'), linked: false })).toEqual({ outcome: 'not_connected' });
    expect(await claim({ keyed: { ...keyed('a'), messageId: 'another' } })).toEqual({ ...retaken, messageId: keyed('a').messageId });
    const row = await store.db.selectFrom('claims').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: 'in_flight', message_id: 'message of a', created_at: start });
    expect(await claim({ keyed: keyed('a') })).toMatchObject({ outcome: 'in_flight', here: true });
    await release('a', true);
    expect(await claim({ keyed: keyed('a'), trialLimit: 1 })).toMatchObject(retaken);
  });

  it('forgets after 24 hours, but never what is in flight [idem.stored]', async () => {
    for (const key of ['accepted', 'unknown', 'in flight']) await claim({ keyed: keyed(key) });
    await settle({ keyed: said('accepted') });
    for (const key of ['unknown', 'in flight']) await release(key, true);
    const last = start + windowMs - 1;
    expect(await claim({ keyed: keyed('accepted'), now: last })).toEqual({
      outcome: 'replay',
      messageId: keyed('accepted').messageId,
      providerStatus: null,
    });
    expect(await claim({ keyed: keyed('unknown', 'other'), now: last })).toEqual({ outcome: 'reused' });
    expect(await claim({ keyed: keyed('in flight'), now: last })).toMatchObject(retaken);
    const now = start + windowMs;
    expect(await claim({ keyed: keyed('accepted', 'other'), now })).toMatchObject(claimed);
    expect(await claim({ keyed: keyed('unknown', 'other'), trialLimit: 1, now })).toMatchObject(claimed);
    expect(await claim({ keyed: keyed('in flight'), now })).toMatchObject({ outcome: 'in_flight', here: true });
    const rows = await store.db
      .selectFrom('claims')
      .select(['key', 'created_at', 'fingerprint', 'state', 'provider_status'])
      .where('fingerprint', '=', 'other')
      .orderBy('key')
      .execute();
    expect(rows).toEqual(
      ['accepted', 'unknown'].map((key) => ({ key, created_at: now, fingerprint: 'other', state: 'in_flight', provider_status: null })),
    );
  });

  it('remembers for 24 hours what was accepted, also when the key was first claimed long before [idem.stored idem.one-message]', async () => {
    await claim({ keyed: keyed('a') });
    await release('a', true);
    const late = start + windowMs - 1;
    expect(await claim({ keyed: { ...keyed('a'), messageId: 'another' }, now: late })).toEqual({ ...retaken, messageId: 'message of a' });
    await settle({ keyed: said('a') });
    for (const now of [start + windowMs, late + windowMs - 1])
      expect(await claim({ keyed: keyed('a'), now })).toMatchObject({ outcome: 'replay' });
    expect(await claim({ keyed: keyed('a'), now: late + windowMs })).toMatchObject(claimed);
  });

  it('holds a unit of a trial until the deadline of its send, whatever has become of that [trial.outlives]', async () => {
    await claim({ trialLimit: 1 });
    expect(await claim({ trialLimit: 1, now: start + 179_999 })).toEqual({ outcome: 'trial_exhausted' });
    expect(await claim({ trialLimit: 1, now: start + 180_000 })).toMatchObject(claimed);
    expect(await claim({ trialLimit: 1, now: start + 180_000 })).toEqual({ outcome: 'trial_exhausted' });
  });

  it('lets exactly one of many simultaneous calls with a key through, from one process and from two', async () => {
    const second = await database.open();
    for (let round = 0; round < 10; round++) {
      const calls = Array.from({ length: 60 }, (_, i) => {
        const call = account.claim({ keyed: keyed(`k${round}`, i % 3 === 0 ? 'odd' : 'even'), trialLimit: i % 4 === 0 ? 1000 : null });
        return { call, outcome: (i % 2 === 0 ? store : second).hot.claim(call) };
      });
      const answers = await Promise.all(calls.map(async ({ call, outcome }) => ({ print: call.keyed?.fingerprint, ...(await outcome) })));
      const winners = answers.filter((answer) => answer.outcome === 'claimed');
      expect(winners).toHaveLength(1);
      for (const answer of answers) {
        if (answer !== winners[0]) expect(answer.outcome).toBe(answer.print === winners[0]?.print ? 'in_flight' : 'reused');
      }
    }
  });

  it('answers a batch as if its calls came one after the other', async () => {
    const calls = [
      account.claim({ keyed: keyed('a', 'x'), linked: false }),
      account.claim({ keyed: keyed('a', 'y') }),
      account.claim({ keyed: keyed('a', 'y'), instanceId: newId() }),
      account.claim({ keyed: keyed('a', 'x') }),
      account.claim(),
    ];
    const outcomes = await Promise.all(calls.map((call) => store.hot.claim(call)));
    expect(outcomes.map((answer) => answer.outcome)).toEqual(['not_connected', 'claimed', 'in_flight', 'reused', 'claimed']);
  });

  it('claims the rest of a batch in which some keys have a record already, and keeps what others have claimed', async () => {
    const other = await seed(store);
    const calls = (names: readonly string[]) => names.map((name) => account.claim({ keyed: keyed(name) }));
    const outcomesOf = async (batch: ReturnType<typeof calls>) =>
      (await Promise.all(batch.map((call) => store.hot.claim(call)))).map((answer) => answer.outcome);
    const names = Array.from({ length: 37 }, (_, i) => `k${i}`);
    expect(await store.hot.claim(other.claim({ keyed: keyed('k1') }))).toMatchObject(claimed);
    expect(await outcomesOf(calls(['k20', 'k36']))).toEqual(['claimed', 'claimed']);
    await settle({ keyed: said('k20', 'PENDING') });
    const expected = names.map((name) => (name === 'k20' ? 'replay' : name === 'k36' ? 'in_flight' : 'claimed'));
    expect(await outcomesOf(calls(names))).toEqual(expected);
    expect(await outcomesOf(calls(['x', 'x', 'y']))).toEqual(['claimed', 'in_flight', 'claimed']);
    const rows = await store.db.selectFrom('claims').select(['account_id', 'key', 'message_id']).execute();
    expect(rows.map((row) => `${row.account_id} ${row.key} ${row.message_id}`).sort()).toEqual(
      [
        ...[...names, 'x', 'y'].map((name) => `${account.accountId} ${name} message of ${name}`),
        `${other.accountId} k1 message of k1`,
      ].sort(),
    );
  });

  it('keeps a trial exact among simultaneous claims, releases and settles, from two processes [trial.exact]', async () => {
    const limit = 37;
    const second = await database.open();
    const stores = [store, second];
    let accepted = 0;
    const send = async (i: number): Promise<ClaimOutcome['outcome']> => {
      const { hot } = stores[i % 2] ?? store;
      const call = account.claim({ trialLimit: limit, keyed: i % 3 === 0 ? keyed(`k${i}`) : null });
      const { outcome } = await hot.claim(call);
      if (outcome !== 'claimed') return outcome;
      // Every fourth send fails and gives its unit back.
      if (i % 4 === 0)
        await hot.release({
          ...{ requestId: call.requestId, accountId: account.accountId },
          ...{ key: call.keyed?.key ?? null, handedOver: false, reservation: call.requestId },
        });
      else {
        accepted++;
        await hot.settle(
          account.settle({
            reservation: call.requestId,
            keyed: call.keyed === null ? null : said(call.keyed.key, 'PENDING'),
          }),
        );
      }
      return outcome;
    };
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 200 }, (_, i) => send(1 + i * 5 + round)));
      expect(accepted).toBeLessThanOrEqual(limit);
    }
    expect(accepted).toBe(limit);
    expect(await store.db.selectFrom('trial_reservations').selectAll().execute()).toEqual([]);
    const { trial_used } = await store.db.selectFrom('accounts').select('trial_used').executeTakeFirstOrThrow();
    expect(trial_used).toBe(limit);
  });

  it('fails a call with a broken value alone', async () => {
    const requestId = newId();
    const calls = [
      account.claim({ trialLimit: 100, requestId }),
      account.claim({ trialLimit: 100, requestId }),
      account.claim({ trialLimit: 100, keyed: keyed('a') }),
      account.claim({ trialLimit: 100 }),
    ];
    const outcomes = await Promise.allSettled(calls.map((call) => store.hot.claim(call)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await store.db.selectFrom('trial_reservations').selectAll().execute()).toHaveLength(3);
    const plain = [account.claim({ keyed: { ...keyed('b'), messageId: null as unknown as string } }), account.claim({ keyed: keyed('c') })];
    const results = await Promise.allSettled(plain.map((call) => store.hot.claim(call)));
    expect(results.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled']);
  });
});

describe.each(storeKinds.filter((kind) => kind === 'postgres'))('servers whose calendars differ, on %s', (kind) => {
  it.each([-25, 25])('judge a key by the time of PostgreSQL, also %i hours apart [idem.store-clock]', async (hours) => {
    const { database, store, account } = await openSeeded(kind);
    const other = await database.open();
    const off = Date.now() + hours * 60 * 60_000;
    const right = Date.now();
    const first = { ...keyed('a'), messageId: 'first' };
    expect(await store.hot.claim(account.claim({ keyed: first, now: off }))).toMatchObject(claimed);
    await store.hot.settle(account.settle({ keyed: { key: 'a', messageId: 'first', providerStatus: null } }));
    const again = { ...keyed('a'), messageId: 'second' };
    expect(await other.hot.claim(account.claim({ keyed: again, now: right }))).toEqual({
      outcome: 'replay',
      messageId: 'first',
      providerStatus: null,
    });
    await setDatabaseClock(store.db, { aheadMs: windowMs });
    expect(await other.hot.claim(account.claim({ keyed: again, now: right }))).toEqual({ ...claimed, messageId: 'second' });
    // Claimed anew, it comes after what is older, where the cleaning does not look at it before its time.
    const [{ id: renewed }, { id: later }] = [
      await store.db.selectFrom('claims').select('id').executeTakeFirstOrThrow(),
      await store.hot
        .claim(account.claim({ keyed: keyed('b') }))
        .then(() => store.db.selectFrom('claims').select('id').where('key', '=', 'b').executeTakeFirstOrThrow()),
    ];
    expect(later).toBe(renewed + 1);
  });
});

// The embedded store has one writer, so nothing is ever undone for the sake of another.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))('a claim and a settlement that a deadlock undoes, on %s', (kind) => {
  it('are made again, each alone and in one batch', async () => {
    const database = await createTestDatabase(kind);
    try {
      const store = await database.open();
      const account = await seed(store);
      await sql`create sequence tries`.execute(store.db);
      // What a sequence gives stays given when the statement is undone.
      await sql`create function deadlock() returns trigger language plpgsql as
        'begin if nextval(''tries'') % 2 = 1 then raise exception ''deadlock'' using errcode = ''40P01''; end if; return new; end'`.execute(
        store.db,
      );
      for (const table of ['claims', 'usage_sends'])
        await sql`create trigger deadlock before insert on ${sql.table(table)} for each statement execute function deadlock()`.execute(
          store.db,
        );
      expect(await store.hot.claim(account.claim({ keyed: keyed('a') }))).toMatchObject(claimed);
      for (const outcome of await Promise.all(['b', 'c'].map((key) => store.hot.claim(account.claim({ keyed: keyed(key) })))))
        expect(outcome).toMatchObject(claimed);
      await Promise.all(['a', 'b', 'c'].map((key) => store.hot.settle(account.settle({ keyed: said(key, 'PENDING') }))));
      expect(await store.db.selectFrom('usage_sends').select('count').execute()).toEqual([{ count: 3 }]);
    } finally {
      await database.dispose();
    }
  });
});
