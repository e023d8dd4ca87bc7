import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';

/** How much of `src` each operation runs (`npm run path`). These numbers are to fall, and whoever makes them fall writes the lower ones here. */
const known = {
  sandbox: { files: 55, functions: 151 },
  whatsapp: { files: 87, functions: 330 },
  servers: { files: 66, functions: 217 },
  pairing: { files: 143, functions: 666 },
};
/** By how much a run may be above, as a part of all: on a busy machine what waits for what is another. */
const above = 0.07;
/** Whoever is further below has made the numbers fall. */
const below = 0.15;
/** Timers that fire in the counted operation add to a run, so the least of these counts. */
const runs = [1, 2, 3];

describe.each(Object.entries(known))('%s', (operation, most) => {
  const counted = ['files', 'functions'] as const;
  const least = { files: Number.POSITIVE_INFINITY, functions: Number.POSITIVE_INFINITY };
  const isAbove = () => counted.some((count) => least[count] > (1 + above) * most[count]);

  // Each is a test of its own, since one takes nearly a minute on a slow machine.
  it.each(runs)('is counted, run %i, unless an earlier run was low enough', async () => {
    if (!isAbove()) return;
    const program = ['--import', './scripts/path/worker-sources.ts', 'scripts/path.ts', '--json', operation];
    const env = { ...process.env, TEST_DATABASE_URL: inject('postgres').url };
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd: join(import.meta.dirname, '..'), env });
    const ran: typeof most = JSON.parse(stdout)[operation];
    for (const count of counted) least[count] = Math.min(least[count], ran[count]);
  });

  it('runs about as many files and functions as are known', () => {
    const message = `${operation}: ${least.files} files and ${least.functions} functions ran; ${most.files} and ${most.functions} are known here`;
    for (const count of counted) {
      expect(least[count], message).toBeLessThanOrEqual((1 + above) * most[count]);
      expect(least[count], message).toBeGreaterThanOrEqual((1 - below) * most[count]);
    }
  });
});
