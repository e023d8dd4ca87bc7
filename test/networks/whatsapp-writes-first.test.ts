import { expect, test } from 'vitest';
import { pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { useWhatsApp } from './whatsapp-fixture.ts';

const whatsapp = useWhatsApp();

// Claims are not waited for by themselves: a message that left before this write could be sent again under another id after a power cut.
test('a message leaves only when the keys it was encrypted with are stored', async () => {
  const fixture = await whatsapp();
  const { network, numbers } = fixture;
  const [to] = numbers.ordinary;
  const texts = async () => (await fixture.received(to)).map(({ content }) => content.text);
  const { link, credentials } = await pairedLink(fixture, '491701234567');
  // The second message finds a session and devices that are known, so that nothing else is left to write for it.
  expect(await link.send(textMessage(network, to, 'one'))).toMatchObject({ outcome: 'accepted' });

  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  credentials.beforeWrite = async (names) => {
    if (!names.some((name) => name.startsWith('session:'))) return;
    asked.resolve();
    await release.promise;
  };
  const sending = link.send(textMessage(network, to, 'two'));
  await asked.promise;
  // Whatever was put on the wire before this question has arrived with its answer.
  expect(await link.probe()).toBe(true);
  expect(await texts()).toEqual(['one']);
  release.resolve();
  expect(await sending).toMatchObject({ outcome: 'accepted' });
  expect(await texts()).toEqual(['one', 'two']);
  await link.close();
});

// They are one write, unless a machine is so slow that what can wait is stored before.
// A crash before it leaves nothing behind, and none after it anything that the recipient could not read.
test('the first message to somebody leaves when its session, the LID and the message itself are stored', async () => {
  const fixture = await whatsapp();
  const { network, numbers } = fixture;
  const [to, other] = numbers.ordinary;
  const { link, credentials } = await pairedLink(fixture, '491701234568');
  // What is the number's own is stored with its first message.
  expect(await link.send(textMessage(network, other, 'one'))).toMatchObject({ outcome: 'accepted' });

  const writes: (readonly string[])[] = [];
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  credentials.beforeWrite = async (names) => {
    writes.push(names);
    if (!names.some((name) => name.startsWith('session:'))) return;
    asked.resolve();
    await release.promise;
  };
  const message = textMessage(network, to, 'two');
  const sending = link.send(message);
  await asked.promise;
  expect(await link.probe()).toBe(true);
  expect(await fixture.received(to)).toEqual([]);
  expect(credentials.sent.has(message.messageId)).toBe(false);
  release.resolve();
  expect(await sending).toMatchObject({ outcome: 'accepted' });
  expect(writes.flat()).toEqual(expect.arrayContaining([`lid-mapping:${to}`, expect.stringMatching(/^session:/)]));
  expect((await fixture.received(to)).map(({ content }) => content.text)).toEqual(['two']);
  expect(credentials.sent.has(message.messageId)).toBe(true);
  await link.close();
});
