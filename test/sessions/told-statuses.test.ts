import { expect, it } from 'vitest';
import { ToldStatuses } from '../../src/sessions/told-statuses.ts';
import type { Leases } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const open = { id: 'number', accountId: 'account', status: 'open' } as const;

it('pages of all servers are told of a state when the other servers can read it', async () => {
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
