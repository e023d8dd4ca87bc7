import { expect, it } from 'vitest';
import { FollowedProxies } from '../../src/sessions/proxies.ts';
import { createManualClock } from '../support/manual-clock.ts';

const lookMs = 1_000;

/** Proxies whose numbers reconnect when the test says so. */
async function following(before: Readonly<Record<string, string>>) {
  const clock = createManualClock();
  let stored = new Map(Object.entries(before));
  let answered: Promise<void> | null = null;
  const reconnecting: { id: string; proxy: string | null; ends: PromiseWithResolvers<void> }[] = [];
  const failures: unknown[] = [];
  const proxies = new FollowedProxies({
    async read() {
      const [read, until] = [stored, answered];
      answered = null;
      await until;
      return read;
    },
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
  /** The next read gives what is stored now, and does so when the function that this returns is called. */
  const delayNext = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answered = promise;
    return resolve;
  };
  return { clock, proxies, reconnecting, failures, set, become, delayNext };
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

it('a look that is slow to read does not bring back the proxy that a number had before', async () => {
  const { clock, proxies, reconnecting, set, become, delayNext } = await following({ number: 'http://a' });
  const read = delayNext();
  await clock.advanceAsync(lookMs);
  set({ number: 'http://b' });
  await proxies.refresh('number');
  read();
  await clock.advanceAsync(0);
  expect([proxies.of('number'), reconnecting]).toEqual(['http://b', []]);
  await become({ number: 'http://b' });
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
