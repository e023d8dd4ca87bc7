import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { startPostgres } from '../support/postgres.ts';
import { rounds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { audit } from './audit.ts';
import { createSenders, linkNumbers, unlinkedSenders } from './customers.ts';
import { createLoadClient, workOff } from './load-client.ts';
import { sandboxLoad } from './sandbox-load.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { startServer } from './server-process.ts';

const outages = rounds({ short: 2, long: 3 });

it('PostgreSQL killed and restarted under load: only 502 meanwhile, nothing lost or doubled afterwards [health.store store.unavailable]', async () => {
  const random = createSeeded(chosenSeed());
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-data-'));
  const postgres = await startPostgres();
  try {
    const store = await openPostgresStore(postgres.url);
    await store.migrate();
    const accounts = await createSenders(store, 10);
    await store.close();
    const server = startServer({ DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG_LEVEL: 'error' });
    const client = createLoadClient(await server.ready);
    const senders = await linkNumbers(client, accounts);
    const load = sandboxLoad(random, senders);
    const unheard: string[] = [];

    for (let outage = 0; outage < outages; outage++) {
      const crashAt = load.answered.length + 50 + random.below(300);
      let crashed: Promise<void> | null = null;
      let failures = 0;
      let recovered = 0;
      await workOff(load.work(), 16, async (send) => {
        if (!(await load.ask(client, send))) unheard.push(send.key);
        if (crashed === null) {
          if (load.answered.length >= crashAt) crashed = postgres.crash();
        } else if (send.result === null) {
          // Once the outage is felt by many requests, the database comes back.
          if (++failures === 60) {
            await crashed;
            await waitFor(async () => expect((await client.call({ method: 'GET', path: '/health' })).status).toBe(503));
            await postgres.start();
          }
        } else if (failures >= 60 && ++recovered === 200) return 'stop';
        return undefined;
      });
    }
    await waitFor(async () => expect((await client.call({ method: 'GET', path: '/health' })).status).toBe(200));
    expect(await unlinkedSenders(client, senders)).toEqual([]);
    await load.finish(client);
    await client.close();
    expect(await server.terminate(), server.stderr()).toEqual({ code: 0, signal: null });
    expect(unheard, 'requests without an answer').toEqual([]);

    const after = await openPostgresStore(postgres.url);
    const wrong = [...load.complaints, ...(await audit(after, senders, load.sends))];
    await after.close();
    expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
    process.stdout.write(`postgres outage: ${outages} crashes, ${load.sends.length} keys, seed ${random.seed}\n`);
  } finally {
    await postgres.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
