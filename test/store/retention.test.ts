import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LastingTime } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { createRetention } from '../../src/store/retention.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** More than are looked at in one step. */
const many = 620;

describe.each(storeKinds)('what is deleted by age on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let clock: ManualClock;
  let now: number;
  beforeEach(async () => {
    store = await openTestStore(kind);
    clock = createManualClock();
    now = clock.now();
  });
  afterEach(() => store.dispose());

  const claim = (key: string, created: number, of: object = {}) => ({
    ...{ account_id: 'a', key, fingerprint: '', message_id: '', state: 'accepted' as const, owner: '', provider_status: null },
    ...{ created_at: created, node: 'gone', deadline: created + 180_000, ...of },
  });
  const addClaims = async (rows: readonly ReturnType<typeof claim>[]) => {
    for (let i = 0; i < rows.length; i += 100)
      await store.db
        .insertInto('claims')
        .values(rows.slice(i, i + 100))
        .execute();
  };
  const manyClaims = (name: string, created: number) => Array.from({ length: many }, (_, i) => claim(`${name} ${i}`, created));
  const write = (requestId: string, created: number) => ({
    ...{ id: `settlement ${requestId}`, kind: 'settlement', payload: '{}', created_at: created, attempts: 9, next_at: now + hourMs },
  });
  const keys = async () => (await store.db.selectFrom('claims').select('key').orderBy('id').execute()).map(({ key }) => key);
  const ahead = () => store.db.selectFrom('claims').select('key').where('created_at', '>', clock.now()).execute();

  /** Sweeps once a minute; `stop` expects that nothing has failed. */
  function start() {
    const failures: object[] = [];
    const retention = createRetention({
      ...{ db: store.db, dialect: kind, clock, time: new LastingTime(clock), recorded: () => null, keepSentMs: dayMs },
      log: { error: (fields) => failures.push(fields) },
    });
    return {
      async stop() {
        await retention.stop();
        expect(failures).toEqual([]);
      },
    };
  }

  async function sweep(): Promise<void> {
    clock.advance(60_000);
    // The next one is planned when it is over.
    await waitFor(() => expect(clock.pending).toBe(1));
  }

  /** Lets a sweep run, after which this holds. */
  async function swept(holds: () => Promise<void>): Promise<void> {
    const retention = start();
    clock.advance(60_000);
    await waitFor(holds);
    await retention.stop();
  }

  it('are the claims that a crash left in flight, but not one that is being sent, which hides nothing behind it', async () => {
    const old = now - 36 * hourMs;
    await addClaims([
      claim('sending', old, { state: 'in_flight', owner: 'r', deadline: now + hourMs }),
      ...Array.from({ length: many }, (_, i) => claim(`left ${i}`, old, { state: 'in_flight', owner: `r${i}` })),
      claim('answered', old),
      claim('young', now - dayMs + hourMs),
    ]);
    await swept(async () => expect(await keys()).toEqual(['sending', 'young']));
  });

  it('are all claims but those with a pending write, however many these are and whatever else stays pending', async () => {
    const old = now - 36 * hourMs;
    await store.db
      .insertInto('pending_writes')
      .values([write('elsewhere', old), ...Array.from({ length: many }, (_, i) => write(`r${i}`, old))])
      .execute();
    const kept = Array.from({ length: many }, (_, i) => claim(`kept ${i}`, old, { state: 'unknown', owner: `r${i}` }));
    await addClaims([...kept, claim('unknown', old, { state: 'unknown', owner: 'other' }), claim('answered', old)]);
    await swept(async () => expect(await keys()).toEqual(kept.map(({ key }) => key)));
  });

  it('are all settlements but those of the time in which a write became pending, and those of the last minutes or day', async () => {
    // One of several servers may have been cut off for long, with an end that it could not store.
    const keptMs = kind === 'postgres' ? dayMs : 5 * 60_000;
    const pendingMs = keptMs + 2 * hourMs;
    await store.db
      .insertInto('pending_writes')
      .values(write('r', now - pendingMs))
      .execute();
    const old = [pendingMs + hourMs, pendingMs + 240_000, pendingMs - 240_000, pendingMs - hourMs].map((ago) => now - ago);
    const young = [keptMs - 180_000, 60_000].map((ago) => now - ago);
    for (const time of [...old, ...young]) await store.db.insertInto('settlements').values({ at: time, requests: '[]' }).execute();
    await swept(async () => {
      const left = await store.db.selectFrom('settlements').select('at').orderBy('id').execute();
      expect(left.map((row) => row.at)).toEqual([old[1], old[2], ...young]);
    });
  });

  it('are old rows behind many that a clock which was ahead has dated', async () => {
    const settlement = (at: number) => ({ at, requests: '[]' });
    const ahead = Array.from({ length: many }, () => settlement(now + 40 * dayMs));
    for (let i = 0; i < many; i += 100)
      await store.db
        .insertInto('settlements')
        .values(ahead.slice(i, i + 100))
        .execute();
    await store.db
      .insertInto('settlements')
      .values(settlement(now - 2 * dayMs))
      .execute();
    await swept(async () => {
      const left = await store.db.selectFrom('settlements').select('at').where('at', '<', now).execute();
      expect(left).toEqual([]);
    });
  });

  it('are units of a trial whose send is over; what a clock that was ahead has dated begins now', async () => {
    const reserve = (id: string, deadline: number) => ({ id, account_id: 'a', deadline });
    await store.db
      .insertInto('trial_reservations')
      .values([reserve('ahead', now + dayMs), reserve('over', now - 1), reserve('sending', now + 170_000)])
      .execute();
    await addClaims([claim('young', now - hourMs), ...manyClaims('ahead', now + 40 * dayMs), ...manyClaims('since', now)]);
    await swept(async () => {
      const units = await store.db.selectFrom('trial_reservations').select(['id', 'deadline']).orderBy('id').execute();
      expect(units.map(({ id }) => id)).toEqual(['ahead', 'sending']);
      expect(units[0]?.deadline).toBeLessThanOrEqual(clock.now() + 180_000);
      expect(await ahead()).toEqual([]);
    });
  });

  it('are no claims that a clock has dated ahead until it was set back: they begin then, however many have come since', async () => {
    const retention = start();
    await sweep();
    clock.setCalendar(40 * dayMs);
    await addClaims(manyClaims('ahead', clock.now()));
    await sweep();
    clock.setCalendar(-40 * dayMs);
    await addClaims(manyClaims('since', clock.now()));
    expect(await ahead()).toHaveLength(many);
    await sweep();
    expect(await ahead()).toEqual([]);
    expect(await keys()).toHaveLength(2 * many);
    await retention.stop();
  });

  it('are no claims that another clock has dated ahead: they begin once they are noticed among the oldest', async () => {
    const retention = start();
    await sweep();
    await addClaims([...manyClaims('ahead', now + 40 * dayMs), ...manyClaims('since', now)]);
    await sweep();
    await sweep();
    expect(await ahead()).toEqual([]);
    expect(await keys()).toHaveLength(2 * many);
    await retention.stop();
  });

  it('are links in no order of their time, behind many that are young', async () => {
    const link = (id: string, expires: number) => ({
      ...{ id, purpose: 'password_reset' as const, token_hash: id, email: id, shown: 0, created_at: 0, expires_at: expires },
    });
    const young = Array.from({ length: many }, (_, i) => link(`0 ${String(i).padStart(4, '0')}`, now + dayMs));
    for (let i = 0; i < many; i += 50)
      await store.db
        .insertInto('one_time_links')
        .values(young.slice(i, i + 50))
        .execute();
    await store.db
      .insertInto('one_time_links')
      .values(link('9', now - 2 * dayMs))
      .execute();
    await swept(async () => {
      const left = await store.db.selectFrom('one_time_links').select('id').where('id', '=', '9').execute();
      expect(left).toEqual([]);
    });
  });
});
