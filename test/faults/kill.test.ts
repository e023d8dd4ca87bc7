import { describe, expect, it } from 'vitest';
import { rounds, type StoreKind, storeKinds } from '../support/run-options.ts';
import { audit } from './audit.ts';
import { linkNumbers } from './customers.ts';
import { killRepeatedly } from './kill-rounds.ts';
import { sandboxLoad } from './sandbox-load.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround } from './stores.ts';

const kills: Readonly<Record<StoreKind, number>> = {
  sqlite: rounds({ short: 4, long: 70 }),
  postgres: rounds({ short: 2, long: 30 }),
};

describe.concurrent.each(storeKinds)('kill -9 under load on %s', (kind) => {
  it('loses nothing and doubles nothing, round after round [idem.one-message crash.last-second]', async () => {
    const random = createSeeded(chosenSeed());
    const ground = await createGround(kind);
    try {
      const { wrong, killed, sends, interrupted } = await killRepeatedly({
        ground,
        random,
        kills: kills[kind],
        keysPerRound: 50,
        answersPerRound: [0, 350],
        longestStartMs: 1200,
        longestDelayMs: 4,
        customers: { numbers: 14, atOnce: 16 },
        link: linkNumbers,
        load: (senders) => sandboxLoad(random, senders),
        audit,
      });
      expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
      process.stdout.write(`${kind}: ${killed} kills, ${sends} keys, ${interrupted} of them interrupted, seed ${random.seed}\n`);
    } finally {
      await ground.dispose();
    }
  });
});
