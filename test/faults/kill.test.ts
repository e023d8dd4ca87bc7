import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rounds, type StoreKind, storeKinds } from '../support/run-options.ts';
import { audit } from './audit.ts';
import { createSenders, linkNumbers, type Sender, unlinkedSenders } from './customers.ts';
import { KeyedLoad } from './keyed-load.ts';
import { createLoadClient, workOff } from './load-client.ts';
import { chosenSeed, createSeeded, type Seeded } from './seeded.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { createGround, type Ground } from './stores.ts';

const kills: Readonly<Record<StoreKind, number>> = {
  sqlite: rounds({ short: 6, long: 70 }),
  postgres: rounds({ short: 3, long: 30 }),
};
const senderCount = 14;
const perSender = 900;
/** Chance may draw rounds of a few answers each; fewer keys for each of them would show little, and more rounds follow. */
const keysPerRound = 50;
const mostAnswersPerRound = 350;

describe.concurrent.each(storeKinds)('kill -9 under load on %s', (kind) => {
  it('loses nothing and doubles nothing, round after round [idem.one-message crash.last-second]', async () => {
    const random = createSeeded(chosenSeed());
    const ground = await createGround(kind);
    try {
      const found = await killRepeatedly(ground, random, kills[kind]);
      expect(found.wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
      process.stdout.write(
        `${kind}: ${found.killed} kills, ${found.sends} keys, ${found.interrupted} of them interrupted, seed ${random.seed}\n`,
      );
    } finally {
      await ground.dispose();
    }
  });
});

async function killRepeatedly(ground: Ground, random: Seeded, leastRounds: number) {
  const senders = await prepare(ground);
  const load = new KeyedLoad(random, senders, perSender);
  const wrong: string[] = [];
  let interrupted = 0;
  let killed = 0;

  for (; killed < leastRounds || load.sends.length <= leastRounds * keysPerRound; killed++) {
    const server = startServer(ground.env);
    // Some starts are interrupted, too: recovery itself must survive a crash.
    if (random.chance(0.12)) {
      await sleep(random.below(1200));
      await server.kill();
      continue;
    }
    interrupted += await interruptedLoad(server, load, senders, random, wrong);
  }

  const server = startServer(ground.env);
  const client = createLoadClient(await server.ready);
  try {
    wrong.push(...(await unlinkedSenders(client, senders)));
    await load.finish(client).catch((error: Error) => {
      throw new Error(`${error.message}; the server said ${server.stdout().slice(-3000)}`);
    });
    await workOff(load.answered, 16, async (send) => {
      if (!(await load.ask(client, send))) wrong.push(`${send.key} was asked again and got no answer`);
      return undefined;
    });
  } finally {
    await client.close();
    const ending = await server.terminate();
    if (ending.code !== 0) wrong.push(`the last stop ended with ${ending.code ?? ending.signal}: ${server.stderr()}`);
  }
  const store = await ground.database.open();
  wrong.push(...load.complaints, ...(await audit(store, senders, load.sends)));
  return { wrong, sends: load.sends.length, killed, interrupted };
}

/** Loads the server until it has given a random number of answers, and kills it a random moment later. How many requests got no answer. */
async function interruptedLoad(
  server: ServerProcess,
  load: KeyedLoad,
  senders: readonly Sender[],
  random: Seeded,
  wrong: string[],
): Promise<number> {
  const client = createLoadClient(await server.ready);
  wrong.push(...(await unlinkedSenders(client, senders)));
  const fatal = random.below(mostAnswersPerRound);
  const delay = random.next() * 4;
  let answers = 0;
  let unanswered = 0;
  try {
    await workOff(load.work(), 16, async (send) => {
      if (!(await load.ask(client, send))) {
        unanswered++;
        return 'stop';
      }
      if (++answers === fatal + 1) setTimeout(() => void server.kill(), delay);
      return undefined;
    });
    const { signal } = await server.ended;
    if (signal !== 'SIGKILL') wrong.push(`the server ended by itself: ${server.stderr()}`);
  } finally {
    await server.kill();
    await client.close();
  }
  return unanswered;
}

async function prepare(ground: Ground): Promise<Sender[]> {
  const store = await ground.database.open();
  const accounts = await createSenders(store, senderCount);
  await store.close();
  const server = startServer(ground.env);
  const client = createLoadClient(await server.ready);
  try {
    return await linkNumbers(client, accounts);
  } finally {
    await client.close();
    await server.kill();
  }
}
