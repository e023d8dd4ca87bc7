import { expect, it } from 'vitest';
import { StatusReports } from '../../src/sessions/states.ts';
import type { Leases } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const open = { id: 'number', accountId: 'account', status: 'open' } as const;

/** Statuses that are reported to a store which answers when the test says so. */
function reporting() {
  const clock = createManualClock();
  const reports: { statuses: ReadonlyMap<string, string>; ends: PromiseWithResolvers<void> }[] = [];
  const leases: Partial<Leases> = {
    report: (statuses) => {
      const ends = Promise.withResolvers<void>();
      reports.push({ statuses, ends });
      return ends.promise;
    },
  };
  const stored: unknown[] = [];
  const statusReports = new StatusReports({
    leases: leases as Leases,
    clock,
    log: { warn: () => undefined },
    stored: (numbers) => void stored.push(...numbers),
  });
  return { clock, reports, stored, statusReports };
}

it('pages of all servers have a status when the other servers can read it', async () => {
  const { clock, reports, stored, statusReports } = reporting();
  statusReports.note({ ...open, status: 'connecting' });
  statusReports.note(open);
  await clock.advanceAsync(500);
  reports[0]?.ends.reject(new Error('the store is away'));
  await clock.advanceAsync(0);
  expect(stored).toEqual([]);

  statusReports.note({ ...open, id: 'other' });
  await clock.advanceAsync(5_000);
  expect(reports.map(({ statuses }) => [...statuses])).toEqual([
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
  const { clock, reports, stored, statusReports } = reporting();
  statusReports.note(open);
  await clock.advanceAsync(500);
  statusReports.note({ ...open, status: 'close' });
  await clock.advanceAsync(20_000);
  expect(reports.map(({ statuses }) => [...statuses])).toEqual([[['number', 'open']]]);
  reports[0]?.ends.reject(new Error('the store is away'));
  await clock.advanceAsync(5_000);
  expect(reports.map(({ statuses }) => [...statuses])).toEqual([[['number', 'open']], [['number', 'close']]]);
  reports[1]?.ends.resolve();
  await clock.advanceAsync(60_000);
  expect(stored).toMatchObject([{ id: 'number', status: 'close' }]);
  expect(reports).toHaveLength(2);
});
