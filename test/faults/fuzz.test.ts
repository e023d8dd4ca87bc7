import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { rounds, type StoreKind, storeKinds } from '../support/run-options.ts';
import { createSenders, linkNumbers, type Sender } from './customers.ts';
import { Census, complaintAbout } from './envelope-check.ts';
import { createFuzzRequests, type FuzzRequest } from './fuzz-requests.ts';
import { malformed } from './fuzz-wire.ts';
import { createLoadClient, workOff } from './load-client.ts';
import { exchange } from './raw-connection.ts';
import { chosenSeed, createSeeded, type Seeded } from './seeded.ts';

const bodies: Readonly<Record<StoreKind, number>> = {
  sqlite: rounds({ short: 3_000, long: 150_000 }),
  postgres: rounds({ short: 2_000, long: 50_000 }),
};
const malformedRequests = rounds({ short: 300, long: 4_000 });
const keysPerAccount = 60;
const pipelined = 25;
const connections = 8;

let files: Awaited<ReturnType<typeof listening>>;
let imageUrl: string;
beforeAll(async () => {
  files = await listening(
    createServer((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('not much of an image')),
  );
  imageUrl = `http://127.0.0.1:${files.port}/image.png`;
});
afterAll(() => files.close());

describe.each(storeKinds)('nonsense over HTTP on %s', (kind) => {
  const random = createSeeded(chosenSeed());
  let gateway: TestGateway;
  let senders: Sender[];
  const keys: string[] = [];
  beforeAll(async () => {
    // Names lead nowhere, so that nothing leaves this machine.
    gateway = await startGateway(kind, {
      env: { LOG_LEVEL: 'error', MEDIA_ALLOW_HOSTS: new URL(imageUrl).host, COMPATIBILITY: 'evolution' },
      overrides: { lookup: async () => [] },
    });
    const accounts = await createSenders(gateway.app.store, 3);
    const client = createLoadClient(gateway.address);
    senders = await linkNumbers(client, accounts);
    await client.close();
    // The instances scope allows 120 requests a minute and key, whatever the plan.
    for (const { accountId } of accounts) {
      for (let n = 0; n < keysPerAccount; n++)
        keys.push((await createKey(gateway.app.store, accountId, { label: null }, at(Date.now()))).key);
    }
  });
  afterAll(() => gateway.stop());

  it(`${bodies[kind]} bodies: no failure of its own, every answer in the envelope [request-id.every]`, async () => {
    const next = createFuzzRequests({ keys, instanceIds: senders.map((sender) => sender.instanceId), imageUrl }, random);
    const census = new Census();
    const complaints: string[] = [];
    await workOff(batches(bodies[kind], next), connections, async (batch) => {
      await run(new URL(gateway.address), batch, census, complaints);
      return complaints.length > 20 ? 'stop' : undefined;
    });
    expect(complaints, `seed ${random.seed}; ${census}`).toEqual([]);
    expect(gateway.logged()).toBe('');
    // The requests got as far as they can get, not only to the first check.
    for (const name of [
      '200 ok',
      '400 invalid_request',
      '400 invalid_media_url',
      '422 media_fetch_failed',
      '422 invalid_recipient',
      '422 idempotency_key_reused',
    ]) {
      expect(census.names, String(census)).toContain(name);
    }
    process.stdout.write(`fuzz on ${kind}: ${bodies[kind]} bodies, seed ${random.seed}; ${census}\n`);
  });

  it(`${malformedRequests} connections that do not speak HTTP: an answer in the envelope or none [request-id.every]`, async () => {
    const { complaints, census } = await speakBadly(new URL(gateway.address), keys, random);
    expect(complaints.slice(0, 20), `seed ${random.seed}; ${census}`).toEqual([]);
    expect(gateway.logged()).toBe('');
    expect((await gateway.call('GET', '/health')).status).toBe(200);
    process.stdout.write(`bad HTTP on ${kind}: ${malformedRequests} connections; ${census}\n`);
  });
});

function* batches(count: number, next: () => FuzzRequest): Generator<FuzzRequest[]> {
  for (let left = count; left > 0; left -= pipelined) yield Array.from({ length: Math.min(pipelined, left) }, next);
}

/** Sends a batch; what a closed connection left unanswered goes over another one. */
async function run(address: URL, batch: readonly FuzzRequest[], census: Census, complaints: string[]): Promise<void> {
  for (let left = batch; left.length > 0; ) {
    const now = left;
    const { answers, rest } = await exchange(
      address,
      now.map(({ bytes }) => bytes),
      { withoutBody: (n) => now[n]?.method === 'HEAD' },
    );
    const said = (n: number) => JSON.stringify(now[n]?.bytes.toString('latin1').slice(0, 3000));
    if (answers.length === 0) complaints.push(`the connection ended without an answer (${rest.slice(0, 200)}) to ${said(0)}`);
    answers.forEach((answer, n) => {
      census.add(answer);
      const complaint = now[n]?.method === 'HEAD' ? null : complaintAbout(answer);
      if (complaint !== null) complaints.push(`${complaint}: ${answer.status} ${answer.body.slice(0, 300)} to ${said(n)}`);
    });
    left = now.slice(Math.max(1, answers.length));
  }
}

async function speakBadly(address: URL, keys: readonly string[], random: Seeded) {
  const census = new Census();
  const complaints: string[] = [];
  const texts = Array.from({ length: malformedRequests }, () => malformed(random.pick(keys), random));
  await workOff(texts, 16, async (bytes) => {
    const { answers, rest } = await exchange(address, [bytes], { end: true });
    const said = JSON.stringify(bytes.toString('latin1').slice(0, 600));
    if (rest !== '') complaints.push(`half an answer (${rest.slice(0, 200)}) to ${said}`);
    for (const answer of answers) {
      census.add(answer);
      const complaint = complaintAbout(answer);
      if (complaint !== null) complaints.push(`${complaint}: ${answer.status} ${answer.body.slice(0, 300)} to ${said}`);
    }
    return undefined;
  });
  return { census, complaints };
}
