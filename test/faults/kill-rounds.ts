import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '../../src/store/index.ts';
import { createSenders, type Sender, unlinkedSenders } from './customers.ts';
import type { KeyedLoad, KeyedSend } from './keyed-load.ts';
import { createLoadClient, type LoadClient, workOff } from './load-client.ts';
import type { Seeded } from './seeded.ts';
import type { ServerProcess } from './server-process.ts';
import type { Ground } from './stores.ts';

/** A run of kills: over which network, and how hard. */
export interface KillOptions<Send extends KeyedSend> {
  readonly ground: Ground;
  /** Settings of the servers, besides those of the ground. */
  readonly env?: Readonly<Record<string, string>>;
  readonly random: Seeded;
  readonly kills: number;
  /** Chance may draw rounds of a few answers each; fewer keys for each of them would show little, and more rounds follow. */
  readonly keysPerRound: number;
  /** Answers before the kill: at least the first, less than the second. */
  readonly answersPerRound: readonly [fewest: number, most: number];
  /** A server that is killed while it starts lives at most so long. */
  readonly longestStartMs: number;
  /** The kill follows its answer within this time. */
  readonly longestDelayMs: number;
  readonly customers: { readonly numbers: number; readonly atOnce: number };
  /** Links a number for each account. */
  readonly link: (client: LoadClient, accounts: readonly Omit<Sender, 'instanceId'>[]) => Promise<Sender[]>;
  readonly load: (senders: readonly Sender[]) => KeyedLoad<Send>;
  /** Resolves when the numbers of a server that has just started may be expected to be linked. */
  readonly linked?: (client: LoadClient, senders: readonly Sender[]) => Promise<void>;
  /** What else happens beside a send. */
  readonly beside?: (send: Send) => Promise<unknown>;
  /** What does not fit between what customers were told and what there is, when every send is answered. */
  readonly audit: (store: Store, senders: readonly Sender[], sends: readonly Send[]) => Promise<string[]>;
}

interface Killed {
  readonly wrong: readonly string[];
  readonly killed: number;
  readonly sends: number;
  /** How many requests got no answer. */
  readonly interrupted: number;
}

/** Kills the server again and again while customers send, then has everything answered and looks for what is lost or doubled. */
export async function killRepeatedly<Send extends KeyedSend>(options: KillOptions<Send>): Promise<Killed> {
  const { ground, random, kills, keysPerRound, longestStartMs, audit } = options;
  const senders = await prepare(options);
  const run: Run<Send> = { ...options, senders, load: options.load(senders), wrong: [] };
  const { load, wrong } = run;
  let interrupted = 0;
  let killed = 0;
  for (; killed < kills || load.sends.length <= kills * keysPerRound; killed++) {
    const server = start(options);
    // Some starts are interrupted, too: logins and recovery themselves must survive a crash.
    if (random.chance(0.12)) {
      await sleep(random.below(longestStartMs));
      await server.kill();
      continue;
    }
    interrupted += await interruptedLoad(server, run);
  }

  const server = start(options);
  const client = createLoadClient(await server.ready);
  try {
    wrong.push(...(await unlinked(client, run)));
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
  return { wrong, killed, sends: load.sends.length, interrupted };
}

interface Run<Send extends KeyedSend> extends Omit<KillOptions<Send>, 'load'> {
  readonly senders: readonly Sender[];
  readonly load: KeyedLoad<Send>;
  readonly wrong: string[];
}

function start({ ground, env }: Pick<KillOptions<never>, 'ground' | 'env'>): ServerProcess {
  return ground.start(env);
}

async function prepare<Send extends KeyedSend>(options: KillOptions<Send>): Promise<Sender[]> {
  const store = await options.ground.database.open();
  const accounts = await createSenders(store, options.customers.numbers);
  await store.close();
  const server = start(options);
  const client = createLoadClient(await server.ready);
  try {
    return await options.link(client, accounts);
  } finally {
    await client.close();
    await server.kill();
  }
}

async function unlinked<Send extends KeyedSend>(client: LoadClient, { linked, senders }: Run<Send>): Promise<string[]> {
  await linked?.(client, senders);
  return unlinkedSenders(client, senders);
}

/** Loads the server until it has given a random number of answers, and kills it a random moment later. How many requests got no answer. */
async function interruptedLoad<Send extends KeyedSend>(server: ServerProcess, run: Run<Send>): Promise<number> {
  const { load, random, wrong, answersPerRound, longestDelayMs, customers, beside } = run;
  const client = createLoadClient(await server.ready);
  const [fewest, most] = answersPerRound;
  const fatal = fewest + random.below(most - fewest);
  const delay = random.next() * longestDelayMs;
  const happening: (Promise<unknown> | undefined)[] = [];
  let answers = 0;
  let unanswered = 0;
  try {
    wrong.push(...(await unlinked(client, run)));
    await workOff(load.work(), customers.atOnce, async (send) => {
      happening.push(beside?.(send));
      if (!(await load.ask(client, send))) {
        unanswered++;
        return 'stop';
      }
      if (++answers === fatal + 1) setTimeout(() => void server.kill(), delay);
      return undefined;
    });
    const { signal } = await server.ended;
    if (signal !== 'SIGKILL') wrong.push(`the server ended by itself: ${server.stderr()}`);
    await Promise.all(happening);
  } finally {
    await server.kill();
    await client.close();
  }
  return unanswered;
}
