import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { openLink, pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { setupWhatsApp } from './whatsapp-fixture.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A network, and what ends its thread. */
async function setup() {
  const workers: Worker[] = [];
  const started = (worker: Worker) => void workers.push(worker);
  process.on('worker', started);
  const fixture = await setupWhatsApp({ timing: { acknowledgementMs: 20_000 } });
  closers.push(async () => {
    process.off('worker', started);
    await fixture.network.close();
    await fixture.close();
  });
  return { fixture, crash: async () => void (await workers.at(-1)?.terminate()) };
}

// A new session and the LID wait in memory for the write that the message waits for, so that is where a crash could leave a part of them.
test.each(['before anything of it is stored', 'when it is stored and has not left', 'when it has left'])(
  'a crash %s: the first message to somebody is shown once after it is sent again, and the next ones can be read',
  async (step) => {
    const { fixture, crash } = await setup();
    const { network, numbers, server } = fixture;
    const to = step === 'when it has left' ? numbers.acknowledgementLost : numbers.ordinary[0];
    const paired = await pairedLink(fixture, '491701234567');
    const { credentials, link, log } = paired;
    expect(await link.send(textMessage(network, numbers.ordinary[1]))).toMatchObject({ outcome: 'accepted' });
    if (step !== 'when it has left') {
      credentials.beforeWrite = async (names) => {
        if (!names.some((name) => name.startsWith('session:'))) return;
        await crash();
        if (step === 'before anything of it is stored') throw new Error('the process has ended');
      };
    }
    const message = textMessage(network, to, 'one');
    const sending = link.send(message);
    if (step === 'when it has left') {
      await server.record.until(() => server.record.stanzas.some(({ id }) => id === message.messageId));
      await crash();
    }
    expect(await sending).toEqual({ outcome: 'unknown' });
    await log.next('closed');
    await link.close();
    expect(credentials.sent.has(message.messageId)).toBe(step !== 'before anything of it is stored');

    credentials.beforeWrite = null;
    const back = openLink(fixture, paired);
    await back.log.next('open');
    expect(await back.link.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await back.link.send(textMessage(network, to, 'two'))).toMatchObject({ outcome: 'accepted' });
    await server.person(to).send('491701234567', 'and you?');
    expect(await back.link.send(textMessage(network, to, 'three'))).toMatchObject({ outcome: 'accepted' });
    expect((await fixture.received(to)).map(({ content }) => content.text)).toEqual(['one', 'two', 'three']);
    await back.link.close();
  },
);
