import { expect, it } from 'vitest';
import { createOwnerSearch, here, type Placement } from '../../../src/http/owner/placement.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const silentMs = 10_000;

/** A search whose owner, as often as it is asked, is given up after ten seconds; the number is here once it was asked so often. */
function searching(silentTimes: number) {
  const clock = createManualClock();
  let asked = 0;
  const owners: Pick<Placement, 'of' | 'forget'> = {
    of: async () => (asked < silentTimes ? { id: 'silent', address: '' } : here),
    forget: () => undefined,
  };
  const search = createOwnerSearch({ placement: owners as Placement, clock });
  const found = search<never>('account', 'instance', {
    forwarded: false,
    ask: () => {
      asked++;
      const { promise, resolve } = Promise.withResolvers<null>();
      clock.after(silentMs, () => resolve(null));
      return promise;
    },
  });
  return { found, clock, asked: () => asked };
}

it('finds the successor of an owner that was given up as silent', async () => {
  const { found, clock } = searching(1);
  await clock.advanceAsync(silentMs + 100);
  expect(await found).toEqual({ outcome: 'here' });
});

it('gives up when the successor falls silent too', async () => {
  const { found, clock, asked } = searching(10);
  await clock.advanceAsync(60_000);
  expect(await found).toEqual({ outcome: 'unowned' });
  expect(asked()).toBe(2);
});
