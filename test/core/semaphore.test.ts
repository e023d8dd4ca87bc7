import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Semaphore } from '../../src/core/index.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('has never more holders than slots, and serves everybody in order [restart.linked]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(4), { maxLength: 40 }), async (size, picks) => {
      const semaphore = new Semaphore(size, size);
      const holding: (() => void)[] = [];
      const order: number[] = [];
      for (let taker = 0; taker < picks.length; taker++) {
        void semaphore.take(null).then((release) => {
          order.push(taker);
          holding.push(release);
        });
      }
      for (const pick of picks) {
        await settled();
        expect(holding.length).toBe(Math.min(size, picks.length - (order.length - holding.length)));
        const [release] = holding.splice(pick % holding.length, 1);
        release?.();
        // Giving back twice gives one slot back.
        release?.();
      }
      await settled();
      expect(order).toEqual(picks.map((_, taker) => taker));
    }),
    { numRuns: 50 },
  );
});

it('gives a returned slot to the next who comes', async () => {
  const semaphore = new Semaphore(1, 1);
  (await semaphore.take(null))();
  const release = await semaphore.take(null);
  let served = false;
  const waiting = semaphore.take(null).then(() => {
    served = true;
  });
  await settled();
  expect(served).toBe(false);
  release();
  await waiting;
});

it('gives one owner all slots while no other waits, and then each as many', async () => {
  const semaphore = new Semaphore(4, 4);
  const running: { owner: string; release: () => void }[] = [];
  const take = (owner: string, times: number) => {
    for (let i = 0; i < times; i++) void semaphore.take(owner).then((release) => running.push({ owner, release }));
  };
  const owners = async () => {
    await settled();
    return running.map(({ owner }) => owner).join('');
  };
  // Oldest first, as logins behind a proxy that does not answer end by their time.
  const end = () => running.shift()?.release();
  take('a', 100);
  expect(await owners()).toBe('aaaa');
  take('b', 100);
  take('c', 1);
  for (const after of ['aaab', 'aabc', 'abca', 'bcab']) {
    end();
    expect(await owners()).toBe(after);
  }
});
