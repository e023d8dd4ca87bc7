import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('a linked number with groups, broadcasts and calls', () => {
  let world: WhatsAppWorld;
  let id: string;
  let phone: Person;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    phone = world.server.person('4915110000071');
    id = await world.linkedNumber(phone.number);
  });
  afterAll(() => world?.close());

  async function expectSent() {
    const friend = world.somebody();
    const answer = await world.text(id, friend.number);
    expect(answer.status).toBe(200);
    await friend.nextReceived((message) => message.id === answer.body.data.message_id);
  }

  it('acknowledges what arrives, and sends meanwhile', async () => {
    phone.isBusy(500);
    await expectSent();
    await world.server.record.until(() => phone.unacknowledged === 0);
  });

  it('with thousands of stanzas that have waited for its login: asks for them, takes them first, and sends', async () => {
    const { record } = world.server;
    await world.gateway.restart({ whileDown: async () => phone.isBusy(3_000) });
    await world.customer.reaches(id, 'open');
    await expectSent();
    await record.until(() => phone.unacknowledged === 0);
    expect(record.problems).toEqual([]);
  });

  it('gets again what it has not acknowledged', async () => {
    const { record, faults } = world.server;
    const before = record.logins(phone.number);
    phone.isBusy(500);
    await faults.end(phone.number, { kind: 'drop' });
    await record.until(() => record.logins(phone.number) === before + 1 && phone.unacknowledged === 0);
    await world.customer.reaches(id, 'open');
    await expectSent();
  });
});
