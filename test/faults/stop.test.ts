import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../src/app/start.ts';
import { readConfig } from '../../src/config/index.ts';
import { rounds, storeKinds } from '../support/run-options.ts';
import { createSenders, linkNumbers, unlinkedSenders } from './customers.ts';
import { type Answer, createLoadClient, workOff } from './load-client.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround, type Ground } from './stores.ts';

/** What became of requests around a stop. */
interface Outcome {
  /** Answers other than 200. */
  readonly refused: Answer[];
  accepted: number;
  /** Sent before the signal, and the connection ended without an answer. */
  forsaken: string[];
}

describe.each(storeKinds)('SIGTERM under load on %s', (kind) => {
  it.each([
    { name: 'once', signals: 1 },
    { name: 'twice', signals: 2 },
  ])('$name: what was asked is answered, the process ends with 0, a restart finds everything [crash.last-second]', async ({ signals }) => {
    const ground = await createGround(kind);
    try {
      const { accounts, senders } = await prepare(ground);
      const server = ground.start();
      const client = createLoadClient(await server.ready, 24);
      const outcome: Outcome = { refused: [], accepted: 0, forsaken: [] };
      let told = false;
      await workOff(count(), 24, async (n) => {
        const sender = senders[n % senders.length];
        if (sender === undefined) throw new Error('no sender');
        const before = !told;
        // Some acknowledgements take three seconds: those sends are under way when the signal comes.
        const to = n % 40 === 7 ? '491701230005' : `4917012${String(30100 + (n % 800))}`;
        try {
          const answer = await client.call({
            path: '/v1/messages/text',
            key: sender.key,
            body: { instance_id: sender.instanceId, to, text: 'x' },
            headers: n % 2 === 0 ? {} : { 'idempotency-key': `stop-key-${n}` },
          });
          if (answer.status === 200) outcome.accepted++;
          else outcome.refused.push(answer);
        } catch (error) {
          if (before) outcome.forsaken.push(String(error));
          return 'stop';
        }
        if (outcome.accepted === 300) {
          told = true;
          for (let signal = 0; signal < signals; signal++) server.child.kill('SIGTERM');
        }
        return undefined;
      });
      const ending = await server.ended;
      await client.close();
      expect(outcome.refused).toEqual([]);
      expect(outcome.forsaken).toEqual([]);
      expect({ ...ending, stderr: server.stderr() }).toEqual({ code: 0, signal: null, stderr: '' });

      const next = ground.start();
      const again = createLoadClient(await next.ready);
      expect(await unlinkedSenders(again, senders)).toEqual([]);
      await again.close();
      expect(await next.terminate()).toEqual({ code: 0, signal: null });
      expect(await counts(ground)).toEqual({ usage: outcome.accepted, messages: outcome.accepted, inFlight: 0, reserved: 0 });
      expect(accounts).toBe(senders.length);
    } finally {
      await ground.dispose();
    }
  });

  it('during a start: ends cleanly or before anything began, and the next start works', async () => {
    const random = createSeeded(chosenSeed());
    const ground = await createGround(kind);
    try {
      const { senders } = await prepare(ground);
      for (let round = 0; round < rounds({ short: 2, long: 12 }); round++) {
        const server = ground.start();
        // A random moment of the start is the point here, not a wait for something.
        await sleep(random.below(1000));
        const ending = await server.terminate();
        // Until the program has read its settings, the signal ends it the way it ends any process.
        expect([0, 'SIGTERM'], `seed ${random.seed}: ${server.stderr()}`).toContain(ending.code ?? ending.signal);
        expect(server.stderr()).toBe('');
      }
      const server = ground.start();
      const client = createLoadClient(await server.ready);
      expect(await unlinkedSenders(client, senders)).toEqual([]);
      await client.close();
      expect(await server.terminate()).toEqual({ code: 0, signal: null });
    } finally {
      await ground.dispose();
    }
  });
});

// Only PostgreSQL lets a start wait for so long.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))('SIGTERM during a start on %s', (kind) => {
  it('ends the process in time although the start hangs', async () => {
    const ground = await createGround(kind);
    const admin = new pg.Client({ connectionString: ground.database.location });
    await admin.connect();
    await admin.query('begin; lock table nodes in access exclusive mode');
    const server = ground.start({}, { nodeOptions: ['--import', shortStop] });
    const isWaiting = async () => {
      const { rows } = await admin.query(`select from pg_locks where not granted and relation = 'nodes'::regclass
        and database = (select oid from pg_database where datname = current_database())`);
      return rows.length > 0;
    };
    try {
      // As long as the program needs to start.
      while (!(await isWaiting())) await sleep(50);
      expect(await server.terminate()).toEqual({ code: 1, signal: null });
      expect(server.stderr()).toBe('gateway: the stop did not end in time; stopping anyway\n');
    } finally {
      await admin.end();
      await ground.dispose();
    }
  });
});

/** A module that turns the 30 s of a stop into a moment. */
const shortStop = `data:text/javascript,${encodeURIComponent(`
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (work, ms, ...rest) => setTimeout(work, ms === 30_000 ? 100 : ms, ...rest);
`)}`;

function* count(): Generator<number> {
  for (let n = 0; ; n++) yield n;
}

async function prepare(ground: Ground) {
  // In this process, where a gateway starts in a fraction of the time.
  const app = await startApp(readConfig({ ...ground.env, PORT: '0', NETWORKS: 'sandbox' }));
  const client = createLoadClient(app.address);
  try {
    const accounts = await createSenders(app.store, 4);
    return { accounts: accounts.length, senders: await linkNumbers(client, accounts) };
  } finally {
    await client.close();
    await app.stop();
  }
}

async function counts(ground: Ground) {
  const { db, close } = await ground.database.open();
  const usage = await db.selectFrom('usage_sends').select('count').execute();
  const messages = await db.selectFrom('sandbox_messages').select('id').execute();
  const claims = await db.selectFrom('claims').select('state').where('state', '<>', 'accepted').execute();
  const reserved = await db.selectFrom('trial_reservations').select('id').execute();
  await close();
  return {
    usage: usage.reduce((sum, row) => sum + row.count, 0),
    messages: messages.length,
    inFlight: claims.length,
    reserved: reserved.length,
  };
}
