import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startFileServer } from '../support/file-server.ts';
import { rounds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { audit } from './audit.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { doctor } from './doctor.ts';
import { createLoadClient, workOff } from './load-client.ts';
import { withMountsOf, withSmallDisk } from './mount.ts';
import { sandboxLoad } from './sandbox-load.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { smallDiskOf } from './small-disk.ts';
import { createGround } from './stores.ts';
import { UnkeyedLoad } from './unkeyed-load.ts';

// Room for the whole load several times over: an early full disk must be the work of the ballast alone.
const mebibyte = 1024 * 1024;
const diskBytes = 96 * mebibyte;
const fills = rounds({ short: 3, long: 6 });
const kinds = { keyed: 8, unkeyed: 4 };

it('a full disk under load: clear answers, nothing half-done, and it works again when there is space [store.unavailable]', async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround('sqlite');
  const files = await startFileServer();
  const at = mkdtempSync(join(tmpdir(), 'gateway-disk-'));
  try {
    const store = await ground.database.open();
    // The first is on a trial; one more trial sends without keys.
    const accounts = await createSenders(store, kinds.keyed + kinds.unkeyed, { trials: [0, kinds.keyed] });
    await store.close();
    const server = ground.start(
      { DATA_DIR: at, MEDIA_ALLOW_HOSTS: files.allowed },
      { command: withSmallDisk(ground.database.location, at, diskBytes) },
    );
    const client = createLoadClient(await server.ready);
    const senders = await linkNumbers(client, accounts);
    const keyed = sandboxLoad(random, senders.slice(0, kinds.keyed));
    const unkeyed = new UnkeyedLoad(senders.slice(kinds.keyed), 900);
    const disk = smallDiskOf(server, at);

    let refused = 0;
    for (let round = 0; round < fills; round++) {
      // Some of the disk stays free, so that now one write fails, now another.
      disk.fill(random.below(200_000));
      let failures = 0;
      let successes = 0;
      await Promise.all([
        workOff(keyed.work(), 12, async (send) => {
          if (!(await keyed.ask(client, send))) keyed.complaints.push(`${send.key} got no answer`);
          if (failures < 150 && send.result === null && ++failures === 150) disk.free();
          return failures >= 150 && ++successes > 150 ? 'stop' : undefined;
        }),
        workOff(unkeyed.work(), 4, async (sender) => {
          await unkeyed.send(client, sender);
          return failures >= 150 && successes > 150 ? 'stop' : undefined;
        }),
      ]);
      refused += failures;
    }

    disk.fill(0);
    const health = async () => (await client.call({ method: 'GET', path: '/health' })).status;
    const settings = { ...ground.env, DATA_DIR: at, PORT: new URL(await server.ready).port };
    await waitFor(async () => expect(await health()).toBe(503), { timeout: 5_000 });
    // The write-ahead log may have room for a small write on a full disk; doctor says what the server says all the same.
    expect(await doctor(settings, withMountsOf(disk.serverPid))).toMatchObject({
      'data folder': { state: 'fail', message: expect.stringContaining('the disk is full') },
      writing: { state: 'fail', message: expect.stringContaining('the disk is full') },
      server: { state: 'fail', message: expect.stringContaining('its storage cannot be used') },
    });
    disk.free();
    await waitFor(async () => expect(await health()).toBe(200), { timeout: 5_000 });

    // Room for a send, and not for its file.
    disk.fill(24 * mebibyte);
    const sender = senders.at(-1);
    const url = files.serve('/large', { bytes: Buffer.alloc(32 * mebibyte) });
    const body = { instance_id: sender?.instanceId, to: '491701230100', url, filename: 'large' };
    const large = await client.call({ path: '/v1/messages/document', key: sender?.key ?? '', body });
    expect([large.status, large.body.error?.details]).toEqual([502, { reason: 'store_unavailable' }]);
    // What a process says may arrive after the answer it said it before.
    await waitFor(() => expect(server.stdout()).toMatch(/the disk is full, \S+\/media cannot be written/));
    disk.free();
    await keyed.finish(client);
    await client.close();
    process.kill(disk.serverPid, 'SIGTERM');
    expect(await server.ended, server.stderr()).toEqual({ code: 0, signal: null });

    const after = await ground.database.open();
    const wrong = [...keyed.complaints, ...unkeyed.complaints, ...(await audit(after, senders.slice(0, kinds.keyed), keyed.sends))];
    wrong.push(...(await unkeyed.audit(after)));
    await after.close();
    expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
    const said = server
      .stdout()
      .split('\n')
      .filter((line) => line.includes('the disk is full'));
    for (const line of said) expect(line).toMatch(/(gateway\.db|media) cannot be written; free space/);
    // Told when it begins, which may be several times while the disk is being filled, and not for each request.
    expect(said.length).toBeGreaterThanOrEqual(1);
    expect(said.length).toBeLessThan(refused / 10);
    process.stdout.write(
      `disk full: ${fills} times, ${refused} keyed sends refused, ${keyed.sends.length} keys, ${unkeyed.accepted} sends without, seed ${random.seed}\n`,
    );
  } finally {
    await files.close();
    await ground.dispose();
    rmSync(at, { recursive: true, force: true });
  }
});
