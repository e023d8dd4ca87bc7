import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const me = '4915110000063';

describe('devices that came without a word, over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  let id: string;
  let phone: Person;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    phone = world.server.person(me);
    id = await world.linkedNumber(me);
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());

  async function sent(friend: Person): Promise<string> {
    const answer = await world.text(id, friend.number);
    expect(answer.status).toBe(200);
    return answer.body.data.message_id;
  }
  const resends = (messageId: string) => world.server.record.resends.filter((resend) => resend.id === messageId);

  it('get the message that missed them, they alone, under its id', async () => {
    const { record } = world.server;
    const friend = world.somebody();
    await sent(friend);
    friend.is({ companions: 2, silently: true });
    phone.is({ companions: 1, silently: true });
    const messageId = await sent(friend);
    await record.until(() => resends(messageId).length > 0);
    const [own] = resends(messageId)[0]?.devices.filter((device) => device.startsWith(me)) ?? [];
    expect(own).toBeDefined();
    expect(resends(messageId)).toMatchObject([
      { count: 0, devices: [`${friend.number}:1@s.whatsapp.net`, `${friend.number}:2@s.whatsapp.net`, own] },
    ]);
    expect(record.incomplete.filter((stanza) => stanza.id === messageId)).toEqual([]);
    const next = await sent(friend);
    expect(record.incomplete.filter((stanza) => stanza.id === next)).toEqual([]);
    expect(record.problems).toEqual([]);
  });

  it('get it over the next connection when this one is lost', async () => {
    const { record, faults } = world.server;
    const friend = world.somebody();
    await sent(friend);
    friend.is({ companions: 1, silently: true });
    faults.onUsync({ number: friend.number }, { kind: 'drop' });
    const messageId = await sent(friend);
    await record.until(() => resends(messageId).length > 0);
    expect(resends(messageId)).toMatchObject([{ count: 0, devices: [`${friend.number}:1@s.whatsapp.net`] }]);
    await world.customer.reaches(id, 'open');
  });

  it('a LID that has changed is asked for again', async () => {
    const { record, faults } = world.server;
    const friend = world.somebody();
    await sent(friend);
    const before = record.lidQuestions(friend.number);
    faults.onMessage({ to: friend.number }, { kind: 'stale_lid' });
    await sent(friend);
    await record.until(() => record.lidQuestions(friend.number) === before + 1);
  });
});
