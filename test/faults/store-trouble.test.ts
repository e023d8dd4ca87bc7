import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { createSenders, linkNumbers, type Sender } from './customers.ts';
import { createLoadClient, type LoadClient } from './load-client.ts';
import type { ServerProcess } from './server-process.ts';
import { createGround, type Ground } from './stores.ts';

const holder = fileURLToPath(new URL('hold-database.ts', import.meta.url));

let ground: Ground;
let server: ServerProcess;
let client: LoadClient;
let sender: Sender;
let sent: number;
beforeEach(async () => {
  ground = await createGround('sqlite');
  const store = await ground.database.open();
  const accounts = await createSenders(store, 1, { trials: [] });
  await store.close();
  server = ground.start();
  client = createLoadClient(await server.ready);
  const [linked] = await linkNumbers(client, accounts);
  if (linked === undefined) throw new Error('no number');
  sender = linked;
  sent = 0;
});
afterEach(async () => {
  await client.close();
  await ground.dispose();
});

const health = async () => (await client.call({ method: 'GET', path: '/health' })).status;
const list = async () => (await client.call({ method: 'GET', path: '/v1/instances', key: sender.key })).status;
const send = (key?: string, to = '491701230100') =>
  client.call({
    path: '/v1/messages/text',
    key: sender.key,
    body: { instance_id: sender.instanceId, to, text: `message ${++sent}` },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
const refusal = {
  status: 502,
  body: {
    success: false,
    error: { code: 'upstream_unavailable', message: expect.stringContaining('nothing was sent'), details: { reason: 'store_unavailable' } },
  },
};
const messages = async () =>
  (await client.call({ method: 'GET', path: '/sandbox/messages?to=491701230100', key: sender.key })).body.data.messages;

/** Has another process write to the database until it is told to end. */
async function writeBeside(): Promise<{ end(): Promise<void> }> {
  const child: ChildProcess = spawn(process.execPath, [holder, ground.database.location], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  await once(child.stdout, 'data');
  return {
    async end() {
      child.stdin?.end();
      await once(child, 'exit');
    },
  };
}

describe('another program that writes to the database', () => {
  it('stops nobody who does not write; sends wait for it', async () => {
    const beside = await writeBeside();
    const answers: string[] = [];
    const sends = [send('key-of-one'), send(), send('key-of-two')].map(async (waiting) => {
      const { status } = await waiting;
      answers.push('send');
      return status;
    });
    for (let look = 0; look < 2; look++) {
      expect([await health(), await list(), (await send(undefined, 'nobody')).status]).toEqual([200, 200, 422]);
      answers.push('others');
    }
    expect(answers).toEqual(['others', 'others']);
    await beside.end();
    expect(await Promise.all(sends)).toEqual([200, 200, 200]);
    expect(await messages()).toHaveLength(3);
  });

  it('has sends refused after five seconds, with nothing sent, until it ends [store.unavailable]', async () => {
    const beside = await writeBeside();
    // Longer than a transaction that went well a moment ago is taken for a sign.
    for (let look = 0; look < 20; look++) expect(await health()).toBe(200);
    const refused = await Promise.all([send('key-of-one'), send(), send('key-of-two')]);
    for (const answer of refused) expect(answer).toMatchObject(refusal);
    expect(await health()).toBe(503);
    // Known by now, so nobody waits for it any more.
    expect(await send()).toMatchObject(refusal);
    expect(await list()).toBe(200);
    expect(await messages()).toEqual([]);
    await beside.end();
    await waitFor(async () => expect(await health()).toBe(200), { timeout: 5_000 });
    expect((await send('key-of-one')).status).toBe(200);
    expect(await messages()).toHaveLength(1);
    expect(server.stdout()).toContain('another program has been writing to');
  });
});

describe('a data folder that goes away under a running server', () => {
  it('has every send refused before it is handed over, and health is red, until the folder is back [health.store store.unavailable]', async () => {
    expect((await send('sent-before-it-went')).status).toBe(200);
    const folder = ground.database.location;
    renameSync(folder, `${folder}-away`);
    try {
      await waitFor(async () => expect(await health()).toBe(503), { timeout: 5_000 });
      for (const answer of [await send(), await send('key-of-another')]) expect(answer).toMatchObject(refusal);
      expect(existsSync(folder)).toBe(false);
    } finally {
      renameSync(`${folder}-away`, folder);
    }
    await waitFor(async () => expect(await health()).toBe(200), { timeout: 5_000 });
    for (const answer of [await send(), await send('key-of-another')]) expect(answer.status).toBe(200);
    expect(await messages()).toHaveLength(3);
    expect(server.stdout().match(/put the data folder back/g)).toHaveLength(1);
  });

  it('goes on refusing when the folder was deleted, and can still be stopped', async () => {
    rmSync(ground.database.location, { recursive: true });
    await waitFor(async () => expect(await health()).toBe(503), { timeout: 5_000 });
    for (const answer of [await send(), await send('key-of-another')]) expect(answer).toMatchObject(refusal);
    expect(await server.terminate()).toMatchObject({ signal: null });
    expect(server.stdout()).toContain('or restart the server');
  });
});
