import { expect, it } from 'vitest';
import { FollowedProxies } from '../../src/sessions/proxies.ts';
import { createManualClock } from '../support/manual-clock.ts';

const lookMs = 1_000;

/** Proxies whose numbers reconnect when the test says so. */
async function following(before: Readonly<Record<string, string>>) {
  const clock = createManualClock();
  let stored = new Map(Object.entries(before));
  const reconnecting: { id: string; proxy: string | null; ends: PromiseWithResolvers<void> }[] = [];
  const failures: unknown[] = [];
  const proxies = new FollowedProxies({
    read: async () => stored,
    stopwatch: clock,
    log: { info: () => undefined, error: (fields) => void failures.push(fields) },
    changed: (id) => {
      const ends = Promise.withResolvers<void>();
      reconnecting.push({ id, proxy: proxies.of(id), ends });
      return ends.promise;
    },
  });
  await proxies.start();
  const set = (next: Readonly<Record<string, string>>) => {
    stored = new Map(Object.entries(next));
  };
  const become = async (next: Readonly<Record<string, string>>) => {
    set(next);
    await clock.advanceAsync(lookMs);
  };
  return { clock, proxies, reconnecting, failures, set, become };
}

const shown = (all: readonly { id: string; proxy: string | null }[]) => all.map(({ id, proxy }) => `${id} ${proxy}`);

it('a number that is slow to disconnect, or fails, keeps no other one from its new proxy', async () => {
  const { proxies, reconnecting, failures, become } = await following({ slow: 'http://a', failing: 'http://a', other: 'http://a' });
  await become({ slow: 'http://b', failing: 'http://b', removed: 'http://b', other: 'http://a' });
  expect(shown(reconnecting)).toEqual(['slow http://b', 'failing http://b', 'removed http://b']);
  reconnecting[1]?.ends.reject(new Error('it could not disconnect'));
  await become({ slow: 'http://b', failing: 'http://b', other: 'http://b' });
  reconnecting[2]?.ends.resolve();
  await become({ slow: 'http://b', failing: 'http://b', other: 'http://b' });
  expect(shown(reconnecting.slice(3))).toEqual(['other http://b', 'removed null']);
  expect(failures).toMatchObject([{ instance_id: 'failing' }]);
  proxies.stop();
});

it('a proxy that changes while its number reconnects is followed afterwards', async () => {
  const { proxies, reconnecting, become } = await following({});
  await become({ number: 'http://a' });
  await become({ number: 'http://b' });
  expect(shown(reconnecting)).toEqual(['number http://a']);
  reconnecting[0]?.ends.resolve();
  await become({ number: 'http://b' });
  expect(shown(reconnecting)).toEqual(['number http://a', 'number http://b']);
  proxies.stop();
});

it('a proxy that was set just before the first connection of its number is used for it, and not followed once more', async () => {
  const { proxies, reconnecting, set, become } = await following({});
  set({ number: 'http://a' });
  await proxies.refresh('number');
  expect(proxies.of('number')).toBe('http://a');
  await become({ number: 'http://a' });
  expect(reconnecting).toEqual([]);
  proxies.stop();
});

it('many numbers reconnect a few at a time', async () => {
  const { proxies, reconnecting, become } = await following({});
  await become(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`number ${n}`, 'http://a'])));
  expect(reconnecting).toHaveLength(20);
  for (let n = 0; n < 50; n++) {
    reconnecting[n]?.ends.resolve();
    await new Promise(setImmediate);
  }
  expect(reconnecting).toHaveLength(50);
  proxies.stop();
});
