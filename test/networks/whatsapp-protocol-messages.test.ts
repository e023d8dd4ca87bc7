import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type OpenedLink, openLink, pairedLink } from './fixture.ts';
import { textMessage } from './outgoing.ts';
import { setupWhatsApp, type WhatsAppFixture } from './whatsapp-fixture.ts';

// A phone sends these things once. Only with the key it hands over can the number write to people who never wrote to it.
const number = { chats: '4915110000001', keys: '4915110000002', settings: '4915110000003' };
const stranger = '4915120000001';

let fixture: WhatsAppFixture;
beforeAll(async () => {
  fixture = await setupWhatsApp();
});
afterAll(async () => {
  await fixture.network.close();
  await fixture.close();
});

async function linked(phoneNumber: string) {
  const opened = await pairedLink(fixture, phoneNumber);
  onTestFinished(() => opened.link.close());
  return opened;
}

async function again(opened: OpenedLink) {
  const back = openLink(fixture, opened);
  onTestFinished(() => back.link.close());
  await back.log.next('open');
  return back;
}

test.each([
  { what: 'what is stored with it', phoneNumber: number.chats, unreadable: (name: string) => name.startsWith('known-chats:') },
  { what: 'the keys', phoneNumber: number.keys, unreadable: (name: string) => !name.startsWith('known-chats:') },
])('history is not confirmed while $what cannot be read, and comes again', async ({ phoneNumber, unreadable }) => {
  const person = fixture.server.person(phoneNumber);
  // Then the phone has sent nothing yet, and what its first message needs must be read.
  person.salt = null;
  const opened = await linked(phoneNumber);
  opened.credentials.unreadable = unreadable;
  person.salt = randomBytes(32);
  await person.handHistory({ salt: person.salt }, 'inline');
  expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
  expect(person.unacknowledged).toBeGreaterThan(0);

  opened.credentials.unreadable = () => false;
  const { link } = await again(opened);
  await fixture.server.record.until(() => person.unacknowledged === 0);
  await expect.poll(() => link.send(textMessage(fixture.network, stranger))).toMatchObject({ outcome: 'accepted' });
});

test('the key of the settings is stored before it is confirmed', async () => {
  const person = fixture.server.person(number.settings);
  person.salt = null;
  const opened = await linked(number.settings);
  person.changeSalt(randomBytes(32), { told: false });

  // With the changed session the message is confirmed; what would be stored after that is not.
  let confirmed = false;
  opened.credentials.beforeWrite = async (names) => {
    if (confirmed) throw new Error('the store is away');
    confirmed = names.some((name) => name.startsWith('session:'));
  };
  await person.shareSettingsKey();
  expect(await opened.log.next('closed')).toEqual({ type: 'closed', reason: 'lost' });
  await fixture.server.record.until(() => person.unacknowledged === 0);

  opened.credentials.beforeWrite = null;
  const { link } = await again(opened);
  expect(await link.send(textMessage(fixture.network, stranger))).toMatchObject({ outcome: 'accepted' });
  expect([...opened.credentials.records.keys()]).not.toContain('settings-key:all');
});
