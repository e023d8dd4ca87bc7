import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/core/index.ts';
import type { Network } from '../../src/networks/index.ts';
import { backoffMs, Reconnect, ReconnectHints } from '../../src/sessions/reconnect.ts';
import type { Session } from '../../src/sessions/session.ts';
import { createManualClock } from '../support/manual-clock.ts';

// What a timer of Node.js can wait at most.
const longestTimerMs = 2 ** 31 - 1;
const dayMs = 24 * 60 * 60 * 1000;

it('never sets a timer that is longer than timers can be [banned.meanwhile]', () => {
  const clock = createManualClock();
  const bounded: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(ms, run) {
      expect(ms).toBeLessThanOrEqual(longestTimerMs);
      return clock.after(ms, run);
    },
  };
  let connected = 0;
  const reconnect = new Reconnect(
    bounded,
    () => 0,
    () => connected++,
  );
  reconnect.notBefore(clock.now() + 100 * dayMs);
  reconnect.later();
  clock.advance(100 * dayMs - 1);
  expect(connected).toBe(0);
  clock.advance(1);
  expect(connected).toBe(1);
  expect(clock.pending).toBe(0);
});

it('has one plan at a time, and none after it was cancelled', () => {
  const clock = createManualClock();
  let connected = 0;
  const reconnect = new Reconnect(
    clock,
    () => 0.5,
    () => connected++,
  );
  reconnect.later();
  reconnect.later();
  expect(clock.pending).toBe(1);
  clock.advance(1000);
  expect(connected).toBe(1);
  reconnect.later();
  reconnect.cancel();
  clock.advance(dayMs);
  expect(connected).toBe(1);
});

/** A reconnect that counts how often it connected. */
function counting(random: number) {
  const clock = createManualClock();
  const count = { connected: 0 };
  const reconnect = new Reconnect(
    clock,
    () => random,
    () => count.connected++,
  );
  return { clock, count, reconnect };
}

it.each([-3_600_000, 3_600_000])('backs off as long when the calendar is set by %i ms meanwhile', (ms) => {
  const { clock, count, reconnect } = counting(0.5);
  reconnect.later();
  clock.setCalendar(ms);
  clock.advance(499);
  expect(count.connected).toBe(0);
  clock.advance(1);
  expect(count.connected).toBe(1);
});

it('notices within a minute that the calendar was set past the end of a ban, and waits on when it was set back', () => {
  const { clock, count, reconnect } = counting(0);
  reconnect.notBefore(clock.now() + dayMs);
  reconnect.later();
  clock.advance(dayMs / 2);
  clock.setCalendar(-3_600_000);
  clock.advance(dayMs / 2);
  expect(count.connected).toBe(0);
  clock.setCalendar(3_600_000);
  clock.advance(60_000);
  expect(count.connected).toBe(1);
});

it('tries soon when others reach the network, and never before the network allows it', () => {
  const { clock, count, reconnect } = counting(0.5);
  for (let failure = 0; failure < 7; failure++) reconnect.later();
  reconnect.soon();
  clock.advance(1000);
  expect(count.connected).toBe(1);
  // Nothing is planned, and nothing is begun.
  reconnect.soon();
  expect(clock.pending).toBe(0);
  reconnect.notBefore(clock.now() + 30_000);
  reconnect.later();
  reconnect.soon();
  clock.advance(30_000);
  expect(count.connected).toBe(1);
  clock.advance(1000);
  expect(count.connected).toBe(2);
});

it('does not put off a try that is near', () => {
  const { clock, count, reconnect } = counting(0.5);
  reconnect.later();
  reconnect.soon();
  clock.advance(500);
  expect(count.connected).toBe(1);
});

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('waits between nothing and a bound that doubles from a second to a minute [reconnect.backoff]', () => {
  fc.assert(
    fc.property(fc.nat(10_000), random, (attempt, share) => {
      const wait = backoffMs(attempt, () => share);
      expect(Number.isInteger(wait)).toBe(true);
      expect(wait).toBeGreaterThanOrEqual(0);
      expect(wait).toBeLessThan(Math.min(60_000, 1000 * 2 ** attempt));
    }),
  );
});

it('spreads over the whole range: full jitter', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => backoffMs(attempt, () => 0.5))).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
  expect(backoffMs(20, () => 0)).toBe(0);
  expect(backoffMs(20, () => 0.999_999_9)).toBe(59_999);
});

const [whatsapp, sandbox] = [{}, {}] as [Network, Network];

/** Numbers whose first one comes back; the others have these networks and states. */
function numbers(others: readonly { network: Network; status: Session['status'] }[]) {
  const tried: string[] = [];
  const all = [{ network: whatsapp, status: 'connecting' as const }, ...others].map(({ network, status }, place) => {
    const id = String(place);
    const part: { -readonly [Name in 'id' | 'network' | 'status']: Session[Name] } = { id, network, status };
    return Object.assign(part, { retrySoon: () => void tried.push(id) });
  });
  let looks = 0;
  const hints = new ReconnectHints({
    get: (id: string) => all[Number(id)],
    values: () => {
      looks++;
      return all.values();
    },
  });
  return {
    tried,
    /** How often all numbers were looked through. */
    looks: () => looks,
    back(place: number) {
      const session = all[place];
      if (session === undefined) throw new Error('there is no such number');
      hints.onBack(session);
      session.status = 'open';
    },
    lose(place: number) {
      const session = all[place];
      if (session !== undefined) session.status = 'connecting';
    },
  };
}

describe('when a number is back', () => {
  const waiting = { network: whatsapp, status: 'connecting' as const };

  it('all numbers of its network are tried soon, if it is the first one', () => {
    const { back, tried } = numbers([waiting, { network: sandbox, status: 'open' }, waiting]);
    back(0);
    expect(tried).toEqual(['1', '3']);
  });

  it('no other is, if it alone was without a connection', () => {
    const { back, tried } = numbers([waiting, { network: whatsapp, status: 'open' }]);
    back(0);
    expect(tried).toEqual([]);
  });

  it('the others are looked through only when the one that was open is so no longer', () => {
    const { back, lose, looks, tried } = numbers([waiting, waiting, waiting]);
    for (const place of [0, 1, 2, 3]) back(place);
    expect(looks()).toBe(1);
    tried.length = 0;
    lose(0);
    lose(1);
    back(1);
    expect([looks(), tried]).toEqual([2, []]);
    for (const place of [0, 1, 2, 3]) lose(place);
    back(3);
    expect(tried).toEqual(['0', '1', '2']);
  });

  it('the others are not looked through again while one that was found open is', () => {
    const { back, lose, looks, tried } = numbers([waiting, { network: whatsapp, status: 'open' }, waiting]);
    for (const place of [0, 1, 3]) {
      back(place);
      lose(place);
    }
    expect([looks(), tried]).toEqual([1, []]);
  });
});
