import { expect, it } from 'vitest';
import { rounds } from '../support/run-options.ts';
import { chosenSeed } from './seeded.ts';
import { soak } from './whatsapp-soak.ts';

it('sends through faults of every kind arrive once, and every number stays linked', {
  timeout: rounds({ short: 60_000, long: 600_000 }),
}, async () => {
  const seed = chosenSeed();
  const minutes = rounds({ short: 0.3, long: 2 });
  const numbers = rounds({ short: 3, long: 6 });
  const rate = rounds({ short: 12, long: 25 });
  const fewestSends = rounds({ short: 40, long: 60 });
  const report = await soak({ minutes, numbers, seed, rate, fewestSends, say: () => undefined });
  expect(report.wrong.slice(0, 20), `seed ${seed}`).toEqual([]);
  // Fewer would show little.
  expect(report.sends).toBeGreaterThan(fewestSends);
  for (const played of [report.timers.changes, report.withoutLid, report.unavailable]) expect(played).toBeGreaterThan(3);
  const faults = Object.values(report.faults).reduce((sum, times) => sum + times, 0);
  process.stdout.write(`WhatsApp soak: ${report.sends} sends, ${faults} faults, errors ${JSON.stringify(report.errors)}, seed ${seed}\n`);
});
