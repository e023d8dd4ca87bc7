import { expect, it } from 'vitest';
import { ToldStatuses } from '../../src/sessions/told-statuses.ts';
import type { Leases } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const open = { id: 'number', accountId: 'account', status: 'open' } as const;

/** States that are told to a store which answers when the test says so. */
function telling() {
  const clock = createManualClock();
  const reports: { told: ReadonlyMap<string, string>; ends: PromiseWithResolvers<void> }[] = [];
  const leases: Partial<Leases> = {
    report: (told) => {
      const ends = Promise.withResolvers<void>();
      reports.push({ told, ends });
      return ends.promise;
    },
  };
  const stored: unknown[] = [];
  const statuses = new ToldStatuses({
    leases: leases as Leases,
    clock,
    log: { warn: () => undefined },
    stored: (numbers) => void stored.push(...numbers),
  });
  return { clock, reports, stored, statuses };
}

it('pages of all servers are told of a state when the other servers can read it', async () => {
  const { clock, reports, stored, statuses } = telling();
  statuses.note({ ...open, status: 'connecting' });
  statuses.note(open);
  await clock.advanceAsync(500);
  reports[0]?.ends.reject(new Error('the store is away'));
  await clock.advanceAsync(0);
  expect(stored).toEqual([]);

  statuses.note({ ...open, id: 'other' });
  await clock.advanceAsync(5_000);
  expect(reports.map(({ told }) => [...told])).toEqual([
    [['number', 'open']],
    [
      ['number', 'open'],
      ['other', 'open'],
    ],
  ]);
  expect(stored).toEqual([]);
  reports[1]?.ends.resolve();
  await clock.advanceAsync(0);
  expect(stored).toMatchObject([{ id: 'number' }, { id: 'other' }]);
});

it('a report that is slow is followed by later ones and never overwrites them', async () => {
  const { clock, reports, stored, statuses } = telling();
  statuses.note(open);
  await clock.advanceAsync(500);
  statuses.note({ ...open, status: 'close' });
  await clock.advanceAsync(20_000);
  expect(reports.map(({ told }) => [...told])).toEqual([[['number', 'open']]]);
  reports[0]?.ends.reject(new Error('the store is away'));
  await clock.advanceAsync(5_000);
  expect(reports.map(({ told }) => [...told])).toEqual([[['number', 'open']], [['number', 'close']]]);
  reports[1]?.ends.resolve();
  await clock.advanceAsync(60_000);
  expect(stored).toMatchObject([{ id: 'number', status: 'close' }]);
  expect(reports).toHaveLength(2);
});
