import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { canonical } from '../networks/whatsapp-content.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('sends over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  let id: string;
  let sender: Person;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    sender = world.somebody();
    id = await world.linkedNumber(sender.number);
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());
  const texts = async (person: Person) => (await person.received()).map(({ message }) => message.conversation);

  it('reach exactly the devices of both sides, also after some have come or gone', async () => {
    const { record } = world.server;
    const friend = world.somebody();
    const changes: (() => void)[] = [
      () => friend.is({ companions: 2 }),
      () => sender.is({ companions: 1 }),
      () => friend.is({ companions: 3 }),
      () => friend.is({ companions: 0 }),
      () => sender.is({ companions: 0 }),
    ];
    for (const [index, change] of changes.entries()) {
      change();
      // The network reports a change a moment later; what goes out before that goes to the devices known until then.
      await waitFor(async () => {
        const before = record.incomplete.length;
        expect((await world.text(id, friend.number, `After change ${index}`)).status).toBe(200);
        expect(record.incomplete.length).toBe(before);
      });
    }
    expect(record.problems).toEqual([]);
  });

  it('a message that the phone could not decrypt is sent to it again when it asks', async () => {
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    const answer = await world.text(id, friend.number, 'Once more');
    expect(answer.status).toBe(200);
    const received = await friend.nextReceived((message) => message.id === answer.body.data.message_id);
    expect(received.message.conversation).toBe('Once more');
    expect((await world.text(id, friend.number, 'And on')).status).toBe(200);
    await friend.nextReceived(({ message }) => message.conversation === 'And on');
    expect(await texts(friend)).toEqual(['Once more', 'And on']);
  });

  it('many at once to one person all arrive, each once', async () => {
    const friend = world.somebody();
    const wanted = Array.from({ length: 30 }, (_, i) => `Number ${i}`);
    const answers = await Promise.all(wanted.map((text) => world.text(id, friend.number, text)));
    expect(new Set(answers.map(({ body }) => body.data?.message_id)).size).toBe(wanted.length);
    expect((await texts(friend)).toSorted()).toEqual(wanted.toSorted());
    expect(world.server.record.stanzas.filter(({ to }) => to === friend.number)).toHaveLength(wanted.length);
  });

  it('to a recipient of whom nothing arrives hold up nobody else', async () => {
    const silent = world.somebody();
    world.server.faults.onUsync({ number: silent.number }, { kind: 'silence' });
    const settled: string[] = [];
    const slow = world.text(id, silent.number).then(({ status }) => settled.push(`silent ${status}`));
    const others = Array.from({ length: 5 }, () => world.somebody());
    await Promise.all(others.map(({ number }) => world.text(id, number).then(({ status }) => settled.push(`other ${status}`))));
    await slow;
    expect(settled).toEqual([...others.map(() => 'other 200'), 'silent 502']);
    expect(await silent.received()).toEqual([]);
  });

  it('that are under way when the gateway stops are finished first', async () => {
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'delay', ms: 700 });
    const answer = world.text(id, friend.number, 'Before the stop');
    await world.server.record.until(() => world.server.record.stanzas.some(({ to }) => to === friend.number));
    await world.gateway.restart();
    expect((await answer).body).toMatchObject({ success: true });
    expect(await friend.received()).toMatchObject([{ times: 1, message: { conversation: 'Before the stop' } }]);
    await world.customer.reaches(id, 'open');
  });

  it('may go to the own number', async () => {
    const before = world.server.record.problems.length;
    const answer = await world.text(id, sender.number, 'Note to self');
    expect(answer.status).toBe(200);
    const received = await sender.nextReceived((message) => message.id === answer.body.data.message_id);
    expect(received).toMatchObject({ from: sender.number, to: sender.number, times: 1, message: { conversation: 'Note to self' } });
    expect(world.server.record.problems.slice(before)).toEqual([]);
  });

  it('with characters that have a meaning in a vCard, or in formatting, arrive as they were written', async () => {
    const friend = world.somebody();
    const card = {
      full_name: 'Dr. Ada "A;B,C\\D" Lovelace 🧮',
      phone_number: '442079460958',
      organization: 'Räder; Wellen, & Söhne\nAbteilung 2',
      email: 'ada@example.com',
      url: 'https://example.com/a;b,c?d=e',
    };
    const answer = await world.customer.send('contact', { instance_id: id, to: friend.number, contacts: [card, card] });
    const received = await friend.nextReceived((message) => message.id === answer.body.data?.message_id);
    expect((await canonical(received)).content).toEqual({ contacts: [card, card] });

    const text = '  *bold* _it_ ~no~ ```mono``` \u200f\u202eעברית\u202c 👩‍👩‍👧‍👦\nline\ttwo \u0000 end';
    const sent = await world.text(id, friend.number, text);
    const got = await friend.nextReceived((message) => message.id === sent.body.data?.message_id);
    expect(got.message.conversation).toBe(text);
  });
});
