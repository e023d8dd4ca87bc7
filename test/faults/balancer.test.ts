import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programOf } from '../support/components.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { audit } from './audit.ts';
import { createSenders, linkNumbers, unlinkedSenders } from './customers.ts';
import type { KeyedSend } from './keyed-load.ts';
import { createLoadClient, underLoad } from './load-client.ts';
import { Nodes } from './nodes.ts';
import { sandboxLoad } from './sandbox-load.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround, type Ground } from './stores.ts';

const nodeCount = 3;
/** How many of them are replaced. */
const replaced = rounds({ short: 2, long: nodeCount });
/** A hundred requests a second are enough that some are under way whenever a server goes, and leave a slow machine time to start others. */
const betweenRequestsMs = 60;

let ground: Ground;
let redis: TestRedis;
let nodes: Nodes;
// Their start and end have time of their own on a slow machine.
beforeAll(async () => {
  ground = await createGround('postgres');
  redis = await startRedis();
  nodes = new Nodes(ground, redis, { count: nodeCount, env: { STOP_DELAY_SECONDS: '6' } });
  await nodes.start();
});
afterAll(async () => {
  await nodes?.stop();
  await redis?.dispose();
  await ground?.dispose();
});

it('behind Caddy, as deploy/Caddyfile sets it up, servers are replaced one after the other, and no request fails', {
  timeout: rounds({ short: 60_000, long: 180_000 }),
}, async () => {
  const random = createSeeded(chosenSeed());
  const wrong: string[] = [];
  const unanswered: string[] = [];
  const balancer = await startCaddy(nodes.ports);
  const client = createLoadClient(balancer.address);
  try {
    const store = await ground.database.open();
    const senders = await linkNumbers(client, await createSenders(store, 6));
    const load = sandboxLoad(random, senders);
    const ask = async (send: KeyedSend) => {
      if (!(await load.ask(client, send))) unanswered.push(`${send.key}: ${send.refusal}`);
      await sleep(betweenRequestsMs);
    };
    const fault = async () => {
      // The next one goes as soon as the one before is back; Caddy notices that while the next one still answers.
      for (let place = 0; place < replaced; place++) await nodes.replace(place);
    };
    await underLoad(load.work(), { senders: 6, ask, fault });
    await waitFor(async () => expect(await unlinkedSenders(client, senders)).toEqual([]));
    await load.finish(client);
    wrong.push(...load.complaints.map((complaint) => nodes.explained(complaint)), ...(await audit(store, senders, load.sends)));
    expect(load.sends.length).toBeGreaterThan(50);
  } finally {
    await client.close();
    await balancer.stop();
  }
  expect([...wrong, ...unanswered].slice(0, 20), `seed ${random.seed}`).toEqual([]);
});

it('and each of them ends as it should', async () => expect(await nodes.stop()).toEqual([]));

/** Starts Caddy in front of servers on these ports; resolves when it asks all of them. */
async function startCaddy(ports: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-caddy-'));
  let file = readFileSync(new URL('../../deploy/Caddyfile', import.meta.url), 'utf8');
  ports.forEach((port, place) => {
    file = file.replace(`gateway-${place + 1}:3000`, `127.0.0.1:${port}`);
  });
  const config = join(folder, 'Caddyfile');
  // Its own interface for changes of its settings would take a fixed port.
  writeFileSync(config, `{\n\tadmin off\n}\n${file}`);
  const child = spawn(programOf('caddy', 'caddy'), ['run', '--config', config, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, SITE_ADDRESS: 'http://127.0.0.1:0' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'exit');
  const address = await saidAddress(child.stderr);
  await waitFor(async () => expect((await fetch(`${address}/health`)).status).toBe(200));
  return {
    address,
    async stop() {
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where Caddy says that it listens, of the port that the system gave it. */
async function saidAddress(output: Readable): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const said: string[] = [];
  createInterface(output)
    .on('line', (line) => {
      said.push(line);
      const port = /"actual_address":"[^"]*:(\d+)"/.exec(line)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    })
    .on('close', () => reject(new Error(`Caddy ended:\n${said.join('\n')}`)));
  return promise;
}
