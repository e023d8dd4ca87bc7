import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { rounds, type StoreKind, storeKinds } from '../support/run-options.ts';
import { createSenders, type Sender, unlinkedSenders } from './customers.ts';
import { createLoadClient, workOff } from './load-client.ts';
import { chosenSeed, createSeeded, type Seeded } from './seeded.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { createGround, type Ground } from './stores.ts';
import { auditWhatsApp } from './whatsapp-audit.ts';
import { WhatsAppLoad } from './whatsapp-load.ts';
import { awaitOpen, linkByScan, whatsappSettings } from './whatsapp-numbers.ts';

const kills: Readonly<Record<StoreKind, number>> = {
  sqlite: rounds({ short: 2, long: 60 }),
  postgres: rounds({ short: 1, long: 20 }),
};
const senderCount = 3;
const recipientCount = 60;
const fewestAnswersPerRound = 20;
const mostAnswersPerRound = rounds({ short: 60, long: 100 });

// One after the other: each has a network, a gateway and customers to run.
it.each(storeKinds)('kill -9 during sends over WhatsApp on %s: each key shows one message, no number is scanned again', async (kind) => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround(kind);
  const network = await startWhatsAppServer();
  try {
    const env = { ...ground.env, ...whatsappSettings(network) };
    const senders = await prepare(ground, env, network);
    const load = new WhatsAppLoad({ random, senders, recipients: recipientCount });
    const { wrong, loads, interrupted, doubled } = await killRepeatedly({ ground, env, network, senders, load, random }, kills[kind]);
    expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
    // Fewer would show little.
    expect(load.sends.length).toBeGreaterThanOrEqual(loads * fewestAnswersPerRound);
    process.stdout.write(
      `WhatsApp on ${kind}: ${kills[kind]} kills, ${load.sends.length} keys, ${interrupted} of them interrupted, ${doubled} put on the wire more than once, seed ${random.seed}\n`,
    );
  } finally {
    await network.close();
    await ground.dispose();
  }
});

interface Run {
  readonly ground: Ground;
  readonly env: Readonly<Record<string, string>>;
  readonly network: WhatsAppServer;
  readonly senders: readonly Sender[];
  readonly load: WhatsAppLoad;
  readonly random: Seeded;
}

async function killRepeatedly(run: Run, times: number) {
  const { ground, env, network, senders, load, random } = run;
  const wrong: string[] = [];
  let interrupted = 0;
  let loads = 0;
  for (let round = 0; round < times; round++) {
    const server = startServer(env);
    // Some starts are interrupted, too: logins and recovery themselves must survive a crash.
    if (round > 0 && random.chance(0.12)) {
      await sleep(random.below(2000));
      await server.kill();
      continue;
    }
    interrupted += await interruptedLoad(server, run, wrong);
    loads++;
  }

  const server = startServer(env);
  const client = createLoadClient(await server.ready);
  try {
    await awaitOpen(client, senders);
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
  wrong.push(...load.complaints, ...(await auditWhatsApp(network, store, { senders, sends: load.sends, recipients: load.recipients })));
  const written = new Map<string, number>();
  for (const { from, to, id } of network.record.stanzas) written.set(`${from} ${to} ${id}`, (written.get(`${from} ${to} ${id}`) ?? 0) + 1);
  return { wrong, loads, interrupted, doubled: [...written.values()].filter((count) => count > 1).length };
}

/** Loads the server until it has given a random number of answers, and kills it a random moment later. How many requests got no answer. */
async function interruptedLoad(server: ServerProcess, { network, senders, load, random }: Run, wrong: string[]): Promise<number> {
  const client = createLoadClient(await server.ready);
  const fatal = fewestAnswersPerRound + random.below(mostAnswersPerRound - fewestAnswersPerRound);
  const delay = random.next() * 20;
  let answers = 0;
  let unanswered = 0;
  const answering: Promise<unknown>[] = [];
  try {
    await awaitOpen(client, senders);
    await workOff(load.work(), 12, async (send) => {
      // People write back, so that both sides' keys move on between the crashes.
      if (random.chance(0.05)) answering.push(network.person(send.to).send(send.sender.phoneNumber, 'and you?'));
      if (!(await load.ask(client, send))) {
        unanswered++;
        return 'stop';
      }
      if (++answers === fatal + 1) setTimeout(() => void server.kill(), delay);
      return undefined;
    });
    const { signal } = await server.ended;
    if (signal !== 'SIGKILL') wrong.push(`the server ended by itself: ${server.stderr()}`);
    await Promise.all(answering);
  } finally {
    await server.kill();
    await client.close();
  }
  return unanswered;
}

async function prepare(ground: Ground, env: Readonly<Record<string, string>>, network: WhatsAppServer): Promise<Sender[]> {
  const store = await ground.database.open();
  const accounts = await createSenders(store, senderCount);
  await store.close();
  const server = startServer(env);
  const client = createLoadClient(await server.ready);
  try {
    return await linkByScan(client, network, accounts);
  } finally {
    await client.close();
    await server.kill();
  }
}
