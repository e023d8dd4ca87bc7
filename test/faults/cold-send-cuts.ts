import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { WhatsAppServer } from 'whatsapp-test-server';
import { createSenders, type Sender } from './customers.ts';
import { KeyedLoad } from './keyed-load.ts';
import { createLoadClient, type LoadClient } from './load-client.ts';
import type { Seeded } from './seeded.ts';
import type { ServerProcess } from './server-process.ts';
import type { Ground } from './stores.ts';
import { auditWhatsApp } from './whatsapp-audit.ts';
import type { WhatsAppSend } from './whatsapp-load.ts';
import { awaitOpen, linkByScan, whatsappSettings } from './whatsapp-numbers.ts';

/** The process ends and what it has written stays, or only what it has synced to the disk. */
export type Cut = 'kill -9' | 'power cut';

interface CutOptions {
  readonly network: WhatsAppServer;
  /** An embedded database. */
  readonly ground: Ground;
  readonly random: Seeded;
  readonly cut: Cut;
  /** The first step that is cut at, counted from 1, and how many further each next one is. */
  readonly first: number;
  readonly stride: number;
}

/** When a send that is answered does nothing more for so long, all its steps are over. */
const quietMs = 1_000;
const preload = pathToFileURL(join(import.meta.dirname, 'cut-at-step.ts')).href;

/**
 * Sends a first message to one person after another, each cut at a later step. After each cut the gateway starts on what is left, the key is asked for
 * again, and more messages follow in both directions. Gives what is wrong afterwards, and the steps that were cut at.
 */
export async function cutColdSends(options: CutOptions): Promise<{ readonly wrong: string[]; readonly steps: string[] }> {
  const { network, ground, random, cut, first, stride } = options;
  const folder = String(ground.env.DATA_DIR);
  const cutFile = join(folder, 'cut-at-step');
  const start = () => ground.start({ ...whatsappSettings(network), CUT_FILE: cutFile }, { nodeOptions: ['--import', preload] });
  const store = await ground.database.open();
  const accounts = await createSenders(store, 1, { trials: [] });
  await store.close();
  let server = start();
  let client = createLoadClient(await server.ready);
  const steps: string[] = [];
  try {
    const [sender] = await linkByScan(client, network, accounts);
    if (sender === undefined) throw new Error('no number is linked');
    const load = threeToEach(sender, random);
    // The first message of a number also asks for what is the number's own.
    await askAll(client, load, 3);
    for (let step = first, isCut = true; isCut; step += stride) {
      writeFileSync(cutFile, String(step));
      const to = await askAll(client, load, 1);
      await Promise.race([server.ended, sleep(quietMs)]);
      await server.kill();
      const name = readFileSync(cutFile, 'utf8');
      isCut = name !== String(step);
      if (isCut) steps.push(`${step}: ${name}`);
      await client.close();
      rmSync(cutFile);
      if (cut === 'power cut') copyFileSync(join(folder, 'gateway.db-wal.synced'), join(folder, 'gateway.db-wal'));
      ({ server, client } = await backAgain(start, sender));
      await load.finish(client);
      for (const send of load.answered.slice(-1)) await load.ask(client, send);
      await askAll(client, load, 1);
      await network.person(to).send(sender.phoneNumber, 'and you?');
      await askAll(client, load, 1);
    }
    await load.finish(client);
    const { code } = await server.terminate();
    const audited = await ground.database.open();
    const recipients = [...new Set(load.sends.map(({ to }) => to))];
    const wrong = await auditWhatsApp(network, audited, { senders: [sender], sends: load.sends, recipients });
    await audited.close();
    return {
      wrong: [...load.complaints, ...wrong, ...(code === 0 ? [] : [`the last stop ended with ${code}: ${server.stderr()}`])],
      steps,
    };
  } finally {
    await client.close();
    await server.kill();
  }
}

async function backAgain(start: () => ServerProcess, sender: Sender): Promise<{ server: ServerProcess; client: LoadClient }> {
  const server = start();
  const client = createLoadClient(await server.ready);
  await awaitOpen(client, [sender]);
  return { server, client };
}

/** Texts with keys, three to each person, who is somebody new. */
function threeToEach(sender: Sender, random: Seeded): KeyedLoad<WhatsAppSend> {
  const create = (number: number): WhatsAppSend => {
    const key = `key-${random.seed}-${String(number).padStart(6, '0')}`;
    const to = `4915150${String(10_000 + Math.floor(number / 3))}`;
    const mark = `mark-${key}-end`;
    const body = { instance_id: sender.instanceId, to, text: mark };
    return { key, sender, type: 'text', to, mark, body, begunAt: Date.now(), result: null };
  };
  return new KeyedLoad({ random, create, repeats: 0, allows: ({ status }) => status >= 500 });
}

/** Asks for so many new sends, one after the other; whom the last one is for. */
async function askAll(client: LoadClient, load: KeyedLoad<WhatsAppSend>, count: number): Promise<string> {
  let to = '';
  for (let asked = 0; asked < count; asked++) {
    const send = load.next();
    if (send === null) break;
    ({ to } = send);
    await load.ask(client, send);
  }
  return to;
}
