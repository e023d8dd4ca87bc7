import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FeedEvent, LiveFeed } from '../../src/core/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const minuteMs = 60 * 1000;

function feedAt(clock = createManualClock()) {
  const errors: object[] = [];
  const feed = new LiveFeed<string>({ clock, log: { error: (fields) => void errors.push(fields) } });
  return { feed, clock, errors };
}

/** A listener with what it has received. */
function ear() {
  const received: string[] = [];
  return { received, listen: ({ accountId, event }: FeedEvent<string>) => void received.push(`${accountId} ${event}`) };
}

describe('listening', () => {
  it('receives events of its account, or all, from now on until it leaves', () => {
    const { feed } = feedAt();
    const [ofA, ofAll] = [ear(), ear()];
    feed.publish('a', 'too early');
    const leaveA = feed.subscribe('a', ofA.listen);
    const leaveAll = feed.subscribe('all', ofAll.listen);
    feed.publish('a', 'one');
    feed.publish('b', 'two');
    leaveA();
    feed.publish('a', 'three');
    leaveAll();
    leaveAll();
    feed.publish('a', 'four');
    expect(ofA.received).toEqual(['a one']);
    expect(ofAll.received).toEqual(['a one', 'b two', 'a three']);
  });

  it('can be done twice by one listener', () => {
    const { feed } = feedAt();
    const twice = ear();
    const leave = feed.subscribe('a', twice.listen);
    feed.subscribe('a', twice.listen);
    feed.publish('a', 'both');
    leave();
    leave();
    feed.publish('a', 'once');
    expect(twice.received).toEqual(['a both', 'a both', 'a once']);
    expect(feed.hasListeners('a')).toBe(true);
  });

  it('to all does not receive what is published to an account alone, not when it comes back either', () => {
    const { feed } = feedAt();
    const [ofA, ofAll] = [ear(), ear()];
    feed.subscribe('a', ofA.listen);
    feed.subscribe('all', ofAll.listen);
    const { last } = feed;
    feed.publishToAccount('a', 'private');
    feed.publish('a', 'public');
    expect(ofA.received).toEqual(['a private', 'a public']);
    expect(ofAll.received).toEqual(['a public']);
    expect(feed.since('all', last)?.map(({ event }) => event)).toEqual(['public']);
    expect(feed.since('a', last)?.map(({ event }) => event)).toEqual(['private', 'public']);
  });

  it('goes on for others when one listener throws, and for that one too', () => {
    const { feed, errors } = feedAt();
    const other = ear();
    let calls = 0;
    feed.subscribe('a', () => {
      calls++;
      throw new Error('deaf');
    });
    feed.subscribe('a', other.listen);
    feed.publish('a', 'one');
    feed.publish('a', 'two');
    expect(other.received).toEqual(['a one', 'a two']);
    expect(calls).toBe(2);
    expect(errors).toHaveLength(2);
  });

  it('may be begun and ended by a listener', () => {
    const { feed } = feedAt();
    const late = ear();
    const leave = feed.subscribe('a', () => {
      leave();
      feed.subscribe('a', late.listen);
    });
    feed.publish('a', 'one');
    feed.publish('a', 'two');
    expect(late.received).toEqual(['a two']);
  });

  it('counts for five minutes after the last listener left', () => {
    const { feed, clock } = feedAt();
    expect(feed.hasListeners('a')).toBe(false);
    const leave = feed.subscribe('a', ear().listen);
    feed.subscribe('all', ear().listen);
    expect([feed.hasListeners('a'), feed.hasListeners('b')]).toEqual([true, false]);
    clock.advance(60 * minuteMs);
    expect(feed.hasListeners('a')).toBe(true);
    leave();
    clock.advance(5 * minuteMs - 1);
    expect(feed.hasListeners('a')).toBe(true);
    clock.advance(1);
    expect(feed.hasListeners('a')).toBe(false);
    expect(clock.pending).toBe(0);
  });
});

describe('coming back', () => {
  it('finds what came after a number, in order, of its own scope', () => {
    const { feed, clock } = feedAt();
    feed.subscribe('a', ear().listen);
    const start = feed.last;
    clock.advance(5);
    feed.publish('a', 'one');
    feed.publish('b', 'two');
    feed.publish('a', 'three');
    const all = feed.since('a', start);
    expect(all).toEqual([
      { number: start + 1, at: clock.now(), accountId: 'a', event: 'one' },
      { number: start + 3, at: clock.now(), accountId: 'a', event: 'three' },
    ]);
    expect(feed.since('a', start + 1)).toEqual(all?.slice(1));
    expect(feed.since('a', feed.last)).toEqual([]);
    expect(feed.since('all', start)?.map(({ event }) => event)).toEqual(['one', 'two', 'three']);
  });

  it('must load anew when more than 1,000 events have passed', () => {
    const { feed } = feedAt();
    feed.subscribe('a', ear().listen);
    const start = feed.last;
    for (let n = 1; n <= 1000; n++) feed.publish(n % 2 === 0 ? 'a' : 'b', String(n));
    expect(feed.since('all', start)).toHaveLength(1000);
    expect(feed.since('a', start)).toHaveLength(500);
    feed.publish('b', '1001');
    expect(feed.since('all', start)).toBeNull();
    expect(feed.since('a', start)).toBeNull();
    expect(feed.since('all', start + 1)).toHaveLength(1000);
  });

  it('must load anew by a process that did not give its number', () => {
    const { feed, clock } = feedAt();
    feed.subscribe('a', ear().listen);
    for (let n = 0; n < 50; n++) feed.publish('a', 'x');
    const { last } = feed;
    clock.advance(1);
    const { feed: next } = feedAt(clock);
    next.subscribe('a', ear().listen);
    expect(next.since('a', last)).toBeNull();
    expect(next.since('all', last)).toBeNull();
    expect(feed.since('a', next.last)).toBeNull();
    expect(next.since('a', Number.NaN)).toBeNull();
  });

  it('must load anew after nobody listened for five minutes, even when nothing happened meanwhile', () => {
    const { feed, clock } = feedAt();
    const leave = feed.subscribe('a', ear().listen);
    const { last } = feed;
    leave();
    clock.advance(4 * minuteMs);
    expect(feed.since('a', last)).toEqual([]);
    clock.advance(minuteMs);
    const again = ear();
    feed.subscribe('a', again.listen);
    expect(feed.since('a', last)).toBeNull();
    expect(feed.since('a', feed.last)).toEqual([]);
  });

  it.each([-60 * minuteMs, 60 * minuteMs])('counts the five minutes by no calendar: it is set by %i ms meanwhile', (ms) => {
    const { feed, clock } = feedAt();
    feed.subscribe('a', ear().listen)();
    clock.setCalendar(ms);
    expect(feed.hasListeners('a')).toBe(true);
    clock.advance(5 * minuteMs - 1);
    expect(feed.hasListeners('a')).toBe(true);
    clock.advance(1);
    expect(feed.hasListeners('a')).toBe(false);
  });

  it('misses nothing while it counts as listened to, whatever happens', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('send a', 'send b') },
      { weight: 2, arbitrary: fc.constantFrom('leave', 'come') },
      { weight: 2, arbitrary: fc.constantFrom('wait 1', 'wait 4', 'wait 6') },
      { weight: 1, arbitrary: fc.constantFrom('visit', 'flood') },
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const { feed, clock } = feedAt();
        // Everything that happened to a, whether or not anybody listened, and what the listener knows of it.
        const happened: string[] = [];
        let known: string[] = [];
        let number = 0;
        const leavers: (() => void)[] = [];
        const listener = (event: FeedEvent<string>) => {
          known.push(event.event);
          number = event.number;
        };
        const happen = (account: string) => {
          const event = String(happened.length);
          if (account === 'a') happened.push(event);
          if (feed.hasListeners(account)) feed.publishToAccount(account, event);
        };
        const come = () => {
          if (leavers.length > 0) return;
          leavers.push(feed.subscribe('a', listener));
          const missed = feed.since('a', number);
          if (missed === null) {
            known = [...happened];
            number = feed.last;
          } else for (const event of missed) listener(event);
        };
        for (const what of steps) {
          const [word, rest] = what.split(' ');
          if (word === 'send') happen(rest ?? '');
          else if (word === 'come') come();
          else if (word === 'leave') leavers.pop()?.();
          else if (word === 'wait') clock.advance(Number(rest) * minuteMs);
          else if (word === 'visit') feed.subscribe('a', ear().listen)();
          else for (let n = 0; n < 1001; n++) feed.publish('b', 'flood');
          if (leavers.length > 0) expect(known).toEqual(happened);
        }
      }),
    );
  });
});
