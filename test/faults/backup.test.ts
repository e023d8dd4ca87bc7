import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { createSenders, linkNumbers, unlinkedSenders } from './customers.ts';
import type { KeyedSend } from './keyed-load.ts';
import { createLoadClient, workOff } from './load-client.ts';
import { sandboxLoad } from './sandbox-load.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { builtFile } from './server-process.ts';
import { createGround } from './stores.ts';

const run = promisify(execFile);
const secretKey = 'cd'.repeat(32);

it('a backup under keyed load holds every send that was answered before it began', async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround('sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-backup-'));
  const file = join(folder, 'backup.db');
  const command = (dataDir: string, ...words: string[]) =>
    run(process.execPath, [builtFile, ...words], {
      env: { ...ground.env, DATA_DIR: dataDir, SECRET_KEY: secretKey, NODE_NO_WARNINGS: '1' },
    });
  try {
    const store = await ground.database.open();
    const accounts = await createSenders(store, 4);
    await store.close();
    const server = ground.start({ SECRET_KEY: secretKey });
    const client = createLoadClient(await server.ready);
    const senders = await linkNumbers(client, accounts);
    const load = sandboxLoad(random, senders);

    let before: KeyedSend[] = [];
    let running = true;
    const working = workOff(load.work(), 8, async (send) => {
      await load.ask(client, send);
      return running ? undefined : 'stop';
    });
    await waitFor(() => expect(load.answered.length).toBeGreaterThan(100));
    before = load.answered;
    await command(ground.database.location, 'backup', file);
    running = false;
    await working;
    expect(load.answered.length).toBeGreaterThan(before.length);
    await client.close();
    await server.terminate();

    const to = join(folder, 'data');
    await command(to, 'restore', file);
    const restored = ground.start({ DATA_DIR: to, SECRET_KEY: secretKey });
    const again = createLoadClient(await restored.ready);
    await waitFor(async () => expect(await unlinkedSenders(again, senders)).toEqual([]));
    // Asked again, each gets the answer that it got: the load complains of any other.
    await workOff(before, 8, async (send) => {
      if (!(await load.ask(again, send))) load.complaints.push(`${send.key} got no answer`);
      return undefined;
    });
    await again.close();
    await restored.terminate();
    expect(load.complaints.slice(0, 20), `seed ${random.seed}`).toEqual([]);
  } finally {
    await ground.dispose();
    rmSync(folder, { recursive: true });
  }
});
