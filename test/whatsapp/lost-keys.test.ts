import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

let world: WhatsAppWorld;
beforeAll(async () => {
  world = await startWhatsAppWorld();
});
afterAll(() => world?.close());

it('keys that the network has lost are uploaded again at the next login, and at no other', async () => {
  const person = world.somebody();
  const id = await world.linkedNumber(person.number);
  const { record, faults } = world.server;
  async function comesBack() {
    const before = record.logins(person.number);
    await faults.end(person.number, { kind: 'drop' });
    await record.until(() => record.logins(person.number) > before);
    await world.customer.reaches(id, 'open');
  }
  const uploads = record.uploadsOfKeys(person.number);
  await comesBack();
  person.losesKeys();
  await comesBack();
  await record.until(() => record.uploadsOfKeys(person.number) > uploads);
  expect(record.uploadsOfKeys(person.number)).toBe(uploads + 1);
  // Somebody who has never written can start a session with the device.
  const friend = world.somebody();
  const sent = await friend.send(person.number, 'Hello');
  await record.until(() => record.receipts.some((receipt) => receipt.id === sent));
  expect(record.problems).toEqual([]);
});
