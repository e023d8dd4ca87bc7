import { expect, it } from 'vitest';
import { chosenSeed } from './seeded.ts';
import { soak } from './whatsapp-soak.ts';

it('sends through faults of every kind arrive once, and every number stays linked', { timeout: 300_000 }, async () => {
  const seed = chosenSeed();
  const report = await soak({ minutes: 0.7, numbers: 6, seed, rate: 25, say: () => undefined });
  expect(report.wrong.slice(0, 20), `seed ${seed}`).toEqual([]);
  // Fewer would show little.
  expect(report.sends).toBeGreaterThan(150);
  const faults = Object.values(report.faults).reduce((sum, times) => sum + times, 0);
  process.stdout.write(`WhatsApp soak: ${report.sends} sends, ${faults} faults, errors ${JSON.stringify(report.errors)}, seed ${seed}\n`);
});
