import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { startFileServer } from '../support/file-server.ts';
import { Secrets } from '../support/secrets.ts';
import { createSenders, type Sender, unlinkedSenders } from './customers.ts';
import { createSeeded } from './seeded.ts';
import { auditWhatsApp, fateOf } from './whatsapp-audit.ts';
import { serveFiles } from './whatsapp-files.ts';
import { people, type WhatsAppLoad, type WhatsAppSend, whatsappLoad } from './whatsapp-load.ts';
import { awaitOpen, linkByScan, until, whatsappSettings } from './whatsapp-numbers.ts';
import { trouble } from './whatsapp-soak-faults.ts';
import { SoakGateway } from './whatsapp-soak-gateway.ts';
import { ChangingTimers } from './whatsapp-timers.ts';

export interface SoakOptions {
  /** How long customers send. */
  readonly minutes: number;
  /** Linked numbers, each of an account of its own. */
  readonly numbers: number;
  readonly seed: number;
  /** About how many sends a second there are. */
  readonly rate: number;
  /** How many sends are answered before anything goes wrong; by default 0. */
  readonly fewestSends?: number;
  /** Told how it goes. */
  readonly say: (line: string) => void;
}

export interface SoakReport {
  /** What must not be; empty when all is well. */
  readonly wrong: readonly string[];
  readonly sends: number;
  readonly byType: Readonly<Record<string, number>>;
  /** How often each fault happened. */
  readonly faults: Readonly<Record<string, number>>;
  /** How often each error was answered before the 200 came, and how often a connection ended without an answer. */
  readonly errors: Readonly<Record<string, number>>;
  /** Timers of disappearing messages: see `ChangingTimers`. */
  readonly timers: { readonly changes: number; readonly carried: number; readonly certain: number };
  /** How many messages were for people without a LID. */
  readonly withoutLid: number;
  /** How often numbers said that they are unavailable. */
  readonly unavailable: number;
  /** Of the process that lived for most of the time: medians of its resident memory in bytes, and for how long it was watched. */
  readonly memory: { readonly firstThird: number; readonly lastThird: number; readonly seconds: number };
}

/** How much more memory the last third of a long life may take than the first third. */
const mostGrowth = 1.2;
/** In a shorter life caches are still filling: its growth says nothing. */
const shortestWatchSeconds = 180;
const warmUpSeconds = 60;
/** The part of the time in which the gateway is restarted and its threads crash; afterwards one process lives through the other faults. */
const unrestPart = 0.25;
/** A phone that asks again in the last moments before the last crash would ask somebody who has forgotten. */
const calmMs = 15_000;
/** How long the gateway has for what phones still wait for then: until it notices that a connection is silent, and has sent again. */
const awaitedMs = 120_000;
const customers = 24;
/** Every so manieth of the people who are written to has no LID. */
const withoutLidEvery = 5;
/** How many timers are set for each message. */
const timersPerSend = 0.1;
/** How many numbers are linked side by side. */
const linkedAtOnce = 3;

/**
 * Customers send keyed messages of every kind from many numbers over a gateway and a network on which things go wrong at random, and ask again until they are answered.
 * At the end everything that was answered must be on its recipient's phone once, every number linked, and nothing left behind.
 * The gateway is a process of its own; the network, the customers and their files are in this one.
 */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-soak-'));
  const network = await startWhatsAppServer();
  const files = await startFileServer();
  try {
    const media = await serveFiles(files);
    const store = await openSqliteStore(dataDir, { durability: 'normal', create: true });
    await store.migrate();
    const accounts = await createSenders(store, options.numbers);
    await store.close();
    const env = { ...whatsappSettings(network), DATA_DIR: dataDir, LOG_LEVEL: 'debug', MEDIA_ALLOW_HOSTS: files.allowed };
    const gateway = new SoakGateway(env);
    try {
      const senders = await linkByScan(await gateway.client, network, accounts, linkedAtOnce);
      const recipients = people(10 * options.numbers);
      for (const [n, number] of recipients.entries()) network.person(number).is({ hasLid: !hasNoLid(n) });
      for (const { phoneNumber } of senders) await tellName(network, phoneNumber);
      const timers = new ChangingTimers(network, createSeeded(options.seed + 2));
      const load = whatsappLoad({
        ...{ random: createSeeded(options.seed), senders, recipients },
        media,
        often: () => timers.chat(),
        // A fault that refuses a chat (463) without a block looks to the gateway like a missing token. Really missing ones are found by the reckoning.
        excused: ['reach_out_blocked', 'missing_token', 'new_chats_capped'],
      });
      return await run({ ...options, dataDir, network, gateway, load, timers, senders, recipients });
    } finally {
      await gateway.dispose();
    }
  } finally {
    await files.close();
    await network.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Run extends SoakOptions {
  readonly dataDir: string;
  readonly network: WhatsAppServer;
  readonly gateway: SoakGateway;
  readonly load: WhatsAppLoad;
  readonly timers: ChangingTimers;
  readonly senders: readonly Sender[];
  readonly recipients: readonly string[];
}

async function run(run: Run): Promise<SoakReport> {
  const { load, timers, network, recipients, rate, fewestSends = 0 } = run;
  let sending = true;
  const going = () => sending;
  const changing = timers.play({ going, chats: () => load.sends.slice(-100), pauseMs: 1_000 / (rate * timersPerSend) });
  const atWork = Promise.all([...Array.from({ length: customers }, () => customer(run, going)), report(run, going), changing]);
  // When the misfortunes themselves fail, that is what is to be told.
  atWork.catch(() => undefined);
  const happened = new Map<string, number>();
  const enough = until('the first sends', async () => (load.answered.length >= fewestSends ? true : null));
  const watched = await Promise.race([enough, atWork])
    .then(() => misfortunes(run, happened))
    .finally(() => {
      sending = false;
    });
  await atWork;
  const wrong = await reckoning(run);
  const memory = growthOf(watched);
  if (memory.seconds >= shortestWatchSeconds && memory.lastThird > mostGrowth * memory.firstThird) {
    wrong.push(`the memory grew from ${memory.firstThird} to ${memory.lastThird} bytes`);
  }
  const byType: Record<string, number> = {};
  for (const { type } of load.sends) byType[type] = (byType[type] ?? 0) + 1;
  return {
    wrong,
    sends: load.sends.length,
    byType,
    faults: Object.fromEntries(happened),
    errors: Object.fromEntries(load.errors),
    timers: { changes: timers.changes, carried: timers.carried, certain: timers.certain },
    withoutLid: load.sends.filter(({ to }) => hasNoLid(recipients.indexOf(to))).length,
    unavailable: network.record.presences.length,
    memory,
  };
}

/** Everything that goes wrong, for as long as the run lasts; resolves with the gateway's memory in bytes, second by second of its longest life. */
async function misfortunes({ minutes, seed, network, gateway, say }: Run, happened: Map<string, number>): Promise<number[]> {
  const total = minutes * 60_000;
  const random = createSeeded(seed + 1);
  const pauseMs = Math.min(4_000, total / 30);
  const started = Date.now();
  const goWrong = (time: number, options: { also?: Record<string, () => Promise<unknown>>; retries?: boolean } = {}) => {
    const { also = {}, retries = false } = options;
    return trouble({ server: network, random, also, retries, pauseMs, over: () => Date.now() - started > time, happened });
  };

  const unrestEnds = total * unrestPart;
  const restarts = {
    'restart (SIGTERM)': () => gateway.restart('terminate', { crashable: true }),
    'restart (kill -9)': () => gateway.restart('kill', { crashable: true }),
    'worker crash': () => gateway.crashWorker(),
  };
  // Each at least once, however short the run.
  for (const [turn, [name, restart]] of Object.entries(restarts).entries()) {
    await restart();
    happened.set(name, 1);
    await goWrong((unrestEnds * (turn + 1)) / 4);
  }
  await goWrong(unrestEnds, { also: restarts });

  say('the gateway is started for the longer part');
  await gateway.restart('terminate');
  const memory: number[] = [];
  const watching = setInterval(() => memory.push(gateway.memory ?? 0), 1_000);
  try {
    await goWrong(total - calmMs, { retries: true });
    network.faults.clear();
    await goWrong(total);
    network.faults.clear();
    // Who still waits when the time is up is found by the reckoning.
    await network.record.until(() => network.record.awaited.length === 0, awaitedMs).catch(() => undefined);
  } finally {
    clearInterval(watching);
  }
  say('one more kill -9, and the end');
  await gateway.restart('kill');
  return memory;
}

function growthOf(memory: readonly number[]): SoakReport['memory'] {
  const warm = memory.slice(Math.min(warmUpSeconds, Math.floor(memory.length / 4)));
  const third = Math.ceil(warm.length / 3);
  return { firstThird: median(warm.slice(0, third)), lastThird: median(warm.slice(-third)), seconds: memory.length };
}

/** Sends one message after another, each until it is answered; people write back at times. */
async function customer({ gateway, load, timers, rate }: Run, sending: () => boolean): Promise<void> {
  const pause = (customers / rate) * 1000;
  while (sending()) {
    const send = load.next();
    if (send === null) return;
    while (send.result === null && sending()) {
      await askOnce(gateway, load, send);
      if (send.result === null) await sleep(500 + Math.random() * 1_000);
    }
    if (Math.random() < 0.05) await timers.writeBack(send);
    await sleep(Math.random() * 2 * pause);
  }
}

async function askOnce(gateway: SoakGateway, load: WhatsAppLoad, send: WhatsAppSend): Promise<void> {
  const client = await gateway.client;
  if (!(await load.ask(client, send))) load.errors.set('no answer', (load.errors.get('no answer') ?? 0) + 1);
}

async function report({ load, network, gateway, say }: Run, sending: () => boolean): Promise<void> {
  for (let second = 1; sending(); second++) {
    await sleep(1_000);
    if (second % 30 !== 0) continue;
    const connected = network.record.connected().length;
    const memory = Math.round((gateway.memory ?? 0) / 1024 / 1024);
    say(
      `${second} s: ${load.sends.length} sends, ${load.unanswered.length} not answered yet, ${connected} numbers connected, ${memory} MiB`,
    );
  }
}

/** Has everything answered, stops the gateway, and compares what everybody knows. */
async function reckoning({ dataDir, gateway, load, timers, network, senders, recipients, say }: Run): Promise<string[]> {
  const client = await gateway.client;
  await awaitOpen(client, senders);
  const wrong = await unlinkedSenders(client, senders);
  await load.finish(client);
  await gateway.stop();
  const store = await openSqliteStore(dataDir, { durability: 'normal' });
  try {
    wrong.push(...gateway.wrong, ...load.complaints);
    wrong.push(
      ...network.record.withoutToken.map(
        ({ from, to, id }) => `message ${id} of ${from} to ${to} had no valid token${fateOf(network, id)}`,
      ),
    );
    wrong.push(...presencesOf(network, senders));
    const judge = timers.judge.bind(timers);
    wrong.push(...(await auditWhatsApp(network, store, { senders, sends: load.sends, recipients, ofPhones: timers.ofPhones, judge })));
  } finally {
    await store.close();
  }
  wrong.push(...readdirSync(join(dataDir, 'media')).map((name) => `the temporary file ${name} was left`));
  wrong.push(...secretsIn(gateway.output, senders).map((name) => `the log tells ${name}`));
  if (wrong.length > 0) {
    const file = join(tmpdir(), `gateway-soak-${process.pid}.log`);
    writeFileSync(file, gateway.output);
    say(`the log of the gateway is kept: ${file}`);
  }
  return wrong;
}

/** Numbers that did not say that they are unavailable, under their name, or said anything else. */
function presencesOf({ record: { presences } }: WhatsAppServer, senders: readonly Sender[]): string[] {
  const silent = senders.filter(({ phoneNumber }) => !presences.some(({ number }) => number === phoneNumber));
  const others = presences.filter(({ number, type, name }) => type !== 'unavailable' || name !== nameOf(number ?? ''));
  return [
    ...silent.map(({ phoneNumber }) => `${phoneNumber} never said that it is unavailable`),
    ...others.map((presence) => `a number said ${JSON.stringify(presence)}`),
  ];
}

/** The phone tells its companions the account's name, with which they say that they are unavailable. */
async function tellName({ person }: WhatsAppServer, number: string): Promise<void> {
  await person(number).handHistory({ names: [{ number, name: nameOf(number) }] }, 'inline');
}

function nameOf(number: string): string {
  return `Owner of ${number}`;
}

/** Whether the nth of the people who are written to has no LID. */
function hasNoLid(n: number): boolean {
  return n % withoutLidEvery === 0;
}

function secretsIn(logged: string, senders: readonly Sender[]): string[] {
  const secrets = new Secrets();
  // What all messages have in common.
  secrets.addText('the words of messages', 'mark-key-');
  for (const { key } of senders) secrets.addText('an API key', key);
  return secrets.foundIn(logged);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
