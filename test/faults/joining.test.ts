import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp } from '../../src/app/start.ts';
import { readConfig } from '../../src/config/index.ts';
import { type FileServer, someBytes, startFileServer } from '../support/file-server.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { createLoadClient } from './load-client.ts';

let redis: TestRedis;
let files: FileServer;
let gateway: TestGateway;
const folder = mkdtempSync(join(tmpdir(), 'gateway-data-'));
beforeAll(async () => {
  redis = await startRedis();
  files = await startFileServer();
  const env = { REDIS_URL: redis.url, SECRET_KEY: 'ab'.repeat(32), MEDIA_ALLOW_HOSTS: files.allowed };
  gateway = await startGateway('postgres', { env });
});
afterAll(async () => {
  await gateway.stop();
  await files.close();
  await redis.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const joining = (env: Record<string, string>) =>
  startApp(readConfig({ ...gateway.settings, DATA_DIR: folder, ...env }), { log: pino({ level: 'silent' }) });
const nodes = async () => (await gateway.app.store.leases?.nodes())?.length;

it.each([
  ['RETRY_KEEP_HOURS', '0', '72'],
  ['NETWORKS', 'sandbox,whatsapp', 'sandbox'],
])('a server with other settings than those that run does not start: %s [servers.settings-refused]', async (setting, here, there) => {
  await expect(joining({ [setting]: here })).rejects.toThrow(`${setting} is ${here} here and ${there} at the server `);
  expect(await nodes()).toBe(1);
});

it('a server with the same settings, and others that do no harm, starts [servers.settings-logged]', async () => {
  const app = await joining({ DATABASE_DURABILITY: 'full', MEDIA_MAX_BYTES: '1000' });
  expect(await nodes()).toBe(2);
  await app.stop();
});

it('a number can be sent from while its server waits for a slow request before it stops, and that request is answered too', async () => {
  const app = await joining({});
  const client = createLoadClient(app.address);
  const [sender] = await linkNumbers(client, await createSenders(gateway.app.store, 1));
  if (sender === undefined) throw new Error('no number was linked');
  const { key, instanceId: instance_id } = sender;
  const { promise: asked, resolve } = Promise.withResolvers<ServerResponse>();
  let fetched = 0;
  const url = files.serve('/slow', { answer: (response) => (fetched++ === 0 ? resolve(response) : response.end(someBytes)) });
  const slow = client.call({ path: '/v1/messages/document', key, body: { instance_id, to: '491701234567', url } });
  const answer = await asked;
  const stopped = app.stop();
  const sent = await gateway.call('POST', '/v1/messages/text', { key, body: { instance_id, to: '491701234567', text: 'hello' } });
  expect(sent.status).toBe(200);
  answer.end(someBytes);
  expect((await slow).status).toBe(200);
  expect(await stopped).toBe(true);
  await client.close();
});

it('a server that was none for a while ends when others with other settings have joined meanwhile', async () => {
  const { db } = gateway.app.store;
  const began = performance.now();
  const { expires_at, started_at } = await db.selectFrom('nodes').selectAll().executeTakeFirstOrThrow();
  const settings = JSON.stringify({ RETRY_KEEP_HOURS: '0' });
  await db.insertInto('nodes').values({ id: 'other', name: 'other:1', started_at, expires_at, draining: 0, settings }).execute();
  await db.deleteFrom('nodes').where('id', '<>', 'other').execute();
  let failure: unknown = null;
  gateway.app.failed.catch((error: unknown) => {
    failure = error;
  });
  await waitFor(async () => {
    const renewed = { expires_at: expires_at + Math.floor(performance.now() - began) };
    if (failure === null) await db.updateTable('nodes').set(renewed).where('id', '=', 'other').execute();
    expect(String(failure)).toContain('RETRY_KEEP_HOURS is 72 here and 0 at the server other:1');
  });
});
