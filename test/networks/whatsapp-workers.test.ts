import { Session } from 'node:inspector';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import type { WhatsAppOptions } from '../../src/networks/whatsapp/whatsapp-network.ts';
import { decodeRecord } from '../../src/networks/whatsapp/worker/library/record-encoding.ts';
import { openLink, pairedLink } from './fixture.ts';
import { newMessageId, textMessage } from './outgoing.ts';
import { setupWhatsApp, type WhatsAppFixture } from './whatsapp-fixture.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A network with the threads it starts, and what these print. */
async function setup(options: Partial<WhatsAppOptions> = {}): Promise<{ fixture: WhatsAppFixture; workers: Worker[]; printed: string[] }> {
  const fixture = await setupWhatsApp(options);
  const workers: Worker[] = [];
  const printed: string[] = [];
  const started = (worker: Worker) => {
    workers.push(worker);
    worker.stdout.on('data', (text) => printed.push(String(text)));
    worker.stderr.on('data', (text) => printed.push(String(text)));
  };
  process.on('worker', started);
  closers.push(async () => {
    process.off('worker', started);
    await fixture.network.close();
    await fixture.close();
  });
  return { fixture, workers, printed };
}

/** Makes the oldest thread of this process turn in a circle for ever. */
function hang(): void {
  const session = new Session();
  closers.push(async () => session.disconnect());
  session.connect();
  session.once('NodeWorker.attachedToWorker', ({ params }) => {
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: 'for (;;);' } });
    session.post('NodeWorker.sendMessageToWorker', { sessionId: params.sessionId, message });
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}

test('no thread is started before the first link', async () => {
  const { fixture, workers } = await setup({ workers: 2 });
  newMessageId(fixture.network);
  expect(workers).toHaveLength(0);
  await openLink(fixture).log.next('code');
  expect(workers).toHaveLength(1);
});

test('instances are spread over the threads, and no more are started than allowed', async () => {
  const { fixture, workers } = await setup({ workers: 2 });
  const links = Array.from({ length: 5 }, () => openLink(fixture));
  await Promise.all(links.map(({ log }) => log.next('code')));
  expect(workers).toHaveLength(2);
});

test('a thread that dies is replaced; its numbers are lost, come back, and what was being sent is unknown', async () => {
  const { fixture, workers } = await setup({ timing: { acknowledgementMs: 20_000 } });
  const { network, numbers } = fixture;
  const paired = await pairedLink(fixture, '491701234567');
  const pairing = openLink(fixture);
  await pairing.log.next('code');

  const sending = paired.link.send(textMessage(network, numbers.acknowledgementLost));
  await fixture.server.record.until(() => fixture.server.record.messages === 1);
  await workers[0]?.terminate();

  expect(await sending).toEqual({ outcome: 'unknown' });
  expect(await paired.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
  expect(await pairing.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
  expect(await paired.link.probe()).toBe(false);
  await paired.link.close();
  expect(paired.credentials.records.size).toBeGreaterThan(0);

  const back = openLink(fixture, paired);
  expect(await back.log.next('open')).toEqual({ type: 'open', phoneNumber: '491701234567' });
  expect(workers).toHaveLength(2);
  expect(await back.link.send(textMessage(network, numbers.ordinary[0]))).toMatchObject({ outcome: 'accepted' });
});

test('a thread that hangs is replaced like one that dies', async () => {
  const { fixture, workers } = await setup({ timing: { workerSilenceMs: 10_000 } });
  const paired = await pairedLink(fixture, '491701234567');
  hang();
  expect(await paired.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
  const back = openLink(fixture, paired);
  expect(await back.log.next('open')).toEqual({ type: 'open', phoneNumber: '491701234567' });
  expect(workers).toHaveLength(2);
});

test('a thread that dies during a logout fails it, and the number stays linked', async () => {
  const { fixture, workers } = await setup();
  const paired = await pairedLink(fixture, '491701234567');
  // The network never answers the logout, so that it is under way when the thread dies.
  await fixture.server.faults.end('491701234567', { kind: 'silence' });
  const loggedOut = paired.link.logout();
  const failure = expect(loggedOut).rejects.toMatchObject({ code: 'upstream_unavailable' });
  await workers[0]?.terminate();
  await failure;
  await paired.link.close();
  expect(paired.credentials.records.size).toBeGreaterThan(0);
  const back = openLink(fixture, paired);
  expect(await back.log.next('open')).toEqual({ type: 'open', phoneNumber: '491701234567' });
});

test('nothing secret is logged or printed at any level, whatever happens', async () => {
  const { fixture, printed } = await setup();
  const { network, server, numbers, lines } = fixture;
  const words = 'a sentence that nobody else must read';
  const paired = await pairedLink(fixture, '491701234567');
  const { log, link, credentials } = paired;
  await link.send(textMessage(network, numbers.ordinary[0], words));
  // Replies move the ratchet and close sessions, of which libsignal prints the keys.
  await server.person(numbers.ordinary[0]).send('491701234567', words);
  await link.send(textMessage(network, numbers.ordinary[0], words));
  server.faults.onMessage({ to: numbers.ordinary[1] }, { kind: 'refuse', code: 479 });
  await link.send(textMessage(network, numbers.ordinary[1], words));
  server.faults.onMessage({ to: numbers.ordinary[1] }, { kind: 'undecryptable' });
  await link.send(textMessage(network, numbers.ordinary[1], words));
  await server.faults.end('491701234567', { kind: 'stream_error', code: 503 });
  await log.next('closed');
  const again = openLink(fixture, paired);
  await again.log.next('open');
  const secrets = secretsOf(credentials.records);
  await again.link.logout();

  const everything = [...lines, ...printed].join('\n');
  expect(everything).not.toContain(words);
  expect(secrets.length).toBeGreaterThan(10);
  for (const secret of secrets) expect(everything).not.toContain(secret);
  expect(printed).toEqual([]);
});

/** Everything in the credentials that looks like a key, in the spellings a log would show it in. */
function secretsOf(records: ReadonlyMap<string, Uint8Array>): string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof Uint8Array) {
      if (value.length < 16) return;
      const bytes = Buffer.from(value);
      found.push(bytes.toString('base64'), bytes.toString('hex'), bytes.join(','));
    } else if (typeof value === 'string') {
      if (/^[A-Za-z0-9+/]{40,}=*$/.test(value)) found.push(value);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const record of records.values()) collect(decodeRecord(record));
  return found;
}
