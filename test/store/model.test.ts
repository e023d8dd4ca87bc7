import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClaimOutcome, type Store, settleOnce } from '../../src/store/index.ts';
import { setDatabaseClock } from '../support/database-clock.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { type Seeded, seed, start } from './seed.ts';

const windowMs = 24 * 60 * 60 * 1000;
/** How long a claim in flight is believed, and a unit of a trial is held. */
const reservedMs = 180_000;
const trialLimit = 3;

type Step =
  | { do: 'claim'; key: string | null; fingerprint: string; linked: boolean; known: boolean; trial: boolean; wait: number }
  /** `settle unheard`: the answer of the store was lost; `settle late`: the store was not there. Both are made good later, twice. */
  | { do: (typeof ends)[number]; which: number };

const ends = ['settle', 'settle unheard', 'settle late', 'fail', 'lose'] as const;

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constant('claim' as const),
      key: fc.constantFrom('a', 'b', null),
      fingerprint: fc.constantFrom('x', 'x', 'y'),
      linked: fc.constantFrom(true, true, true, false),
      known: fc.constantFrom(true, true, true, false),
      trial: fc.boolean(),
      wait: fc.constantFrom(0, 0, 1, windowMs / 2, windowMs),
    }),
    fc.record({ do: fc.constantFrom(...ends), which: fc.nat(5) }),
  ),
  { maxLength: 30 },
);

interface Sending {
  requestId: string;
  key: string | null;
  reservation: string | null;
}

/** What the store promises, as simply as it can be said. */
class Model {
  readonly records = new Map<
    string,
    {
      fingerprint: string;
      state: 'in_flight' | 'unknown' | 'accepted';
      owner: string;
      providerStatus: string | null;
      at: number;
      deadline: number;
    }
  >();
  /** By the ends of their time. */
  readonly reserved = new Map<string, number>();
  used = 0;
  sent = 0;

  claim(step: Step & { do: 'claim' }, requestId: string, now: number): ClaimOutcome {
    const record = step.key === null ? undefined : this.records.get(step.key);
    if (record?.state === 'in_flight' && record.deadline <= now) record.state = 'unknown';
    const live = record !== undefined && (record.state === 'in_flight' || record.at > now - windowMs);
    if (live) {
      if (record.fingerprint !== step.fingerprint) return { outcome: 'reused' };
      if (record.state === 'accepted') return { outcome: 'replay', messageId: messageOf(step.key), providerStatus: record.providerStatus };
      if (record.state === 'in_flight') return { outcome: 'in_flight', owner: record.owner, here: true };
    }
    if (!step.known) return { outcome: 'instance_not_found' };
    if (!step.linked) return { outcome: 'not_connected' };
    const reserved = [...this.reserved.values()].filter((deadline) => deadline > now).length;
    if (step.trial && this.used + reserved >= trialLimit) return { outcome: 'trial_exhausted' };
    if (step.trial) this.reserved.set(requestId, now + reservedMs);
    if (step.key !== null) {
      const { key, fingerprint } = step;
      this.records.set(key, {
        fingerprint,
        state: 'in_flight',
        owner: requestId,
        providerStatus: null,
        at: now,
        deadline: now + reservedMs,
      });
    }
    return { outcome: 'claimed', retaken: live, messageId: step.key === null ? null : messageOf(step.key) };
  }

  settle({ key, reservation }: Sending, providerStatus: string | null): void {
    if (reservation !== null) this.reserved.delete(reservation);
    const record = key === null ? undefined : this.records.get(key);
    // Of several that sent the same message the first one counts.
    if (key !== null && (record === undefined || record.state === 'accepted')) return;
    if (record !== undefined) Object.assign(record, { state: 'accepted', providerStatus, owner: '' });
    this.sent++;
    if (reservation !== null) this.used++;
  }

  release({ key, requestId, reservation }: Sending, handedOver: boolean): void {
    const record = key === null ? undefined : this.records.get(key);
    if (record?.owner === requestId && handedOver) record.state = 'unknown';
    else if (record?.owner === requestId && key !== null) this.records.delete(key);
    if (reservation !== null) this.reserved.delete(reservation);
  }
}

describe.each(storeKinds)('any sequence of claims, settles and releases on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());

  it('has the outcomes of the model [idem.one-message]', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const account = await seed(store);
        const model = new Model();
        const sending: Sending[] = [];
        let now = start;
        for (const [i, step] of sequence.entries()) {
          if (step.do === 'claim') {
            now += step.wait;
            if (kind === 'postgres') await setDatabaseClock(store.db, { at: now });
            const call = callOf(account, step, now, i);
            const expected = model.claim(step, call.requestId, now);
            expect(await store.hot.claim(call)).toEqual(expected);
            if (expected.outcome === 'claimed')
              sending.push({ requestId: call.requestId, key: step.key, reservation: step.trial ? call.requestId : null });
            continue;
          }
          const [send] = sending.splice(step.which, 1);
          if (send === undefined) continue;
          if (step.do !== 'fail' && step.do !== 'lose') {
            const providerStatus = i % 3 === 0 ? null : `status ${i}`;
            model.settle(send, providerStatus);
            const call = account.settle({
              reservation: send.reservation,
              keyed: send.key === null ? null : { key: send.key, messageId: messageOf(send.key), providerStatus },
            });
            if (step.do !== 'settle late') await store.hot.settle(call);
            if (step.do === 'settle') continue;
            for (let i = 0; i < 2; i++) await store.transaction((trx) => settleOnce(trx, call, now));
          } else {
            const handedOver = step.do === 'lose';
            model.release(send, handedOver);
            await store.hot.release({ accountId: account.accountId, ...send, handedOver });
          }
        }
        expect(await state(store, account)).toEqual({
          used: model.used,
          reserved: [...model.reserved.keys()].sort(),
          sent: model.sent,
        });
      }),
      { numRuns: 150 },
    );
  });
});

const messageOf = (key: string | null): string => `message of ${key}`;

function callOf(account: Seeded, step: Step & { do: 'claim' }, now: number, i: number) {
  return account.claim({
    keyed: step.key === null ? null : { key: step.key, fingerprint: step.fingerprint, messageId: messageOf(step.key) },
    linked: step.linked,
    trialLimit: step.trial ? trialLimit : null,
    now,
    requestId: `${account.accountId} ${i}`,
    ...(step.known ? {} : { instanceId: 'unknown' }),
  });
}

async function state({ db }: Store, { accountId }: Seeded) {
  const { trial_used } = await db.selectFrom('accounts').select('trial_used').where('id', '=', accountId).executeTakeFirstOrThrow();
  const reserved = await db.selectFrom('trial_reservations').select('id').where('account_id', '=', accountId).execute();
  const usage = await db.selectFrom('usage_sends').select('count').where('account_id', '=', accountId).executeTakeFirst();
  return { used: trial_used, reserved: reserved.map((row) => row.id).sort(), sent: usage?.count ?? 0 };
}
