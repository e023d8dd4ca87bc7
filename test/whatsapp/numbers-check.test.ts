import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const always = Number.POSITIVE_INFINITY;
const me = '4915110000006';

describe('numbers/check over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  let instance_id: string;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    instance_id = await world.linkedNumber(me);
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());

  async function check(numbers: readonly string[]) {
    const answer = await world.customer.call('POST', '/v1/numbers/check', { instance_id, numbers });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ instance_id, submitted: numbers.length });
    return answer.body.data.results;
  }
  const there = (number: string, network_number = number) => ({ number, reachable: true, network_number });
  const gone = (number: string) => ({ number, reachable: false, network_number: null });
  const unsaid = (number: string) => ({ number, reachable: null, network_number: null });

  it('one answer per number, also where the network answers on another one', async () => {
    const nobody = world.somebody();
    nobody.is({ onNetwork: false });
    const rewritten = [
      ['5511987650011', '551187650011'],
      ['5215512345678', '525512345678'],
      ['541155667788', '5491155667788'],
    ] as const;
    for (const [dialled, answersAs] of rewritten) world.server.person(dialled).is({ answersAs });
    const friend = world.somebody();
    const asked = [...rewritten.map(([dialled]) => `+${dialled}`), nobody.number, friend.number, `+${friend.number}`];
    expect(await check(asked)).toEqual([
      ...rewritten.map(([dialled, answersAs]) => there(dialled, answersAs)),
      gone(nobody.number),
      there(friend.number),
    ]);
    expect(world.server.record.stanzas).toEqual([]);
  });

  it('fifty numbers at once', async () => {
    const people = Array.from({ length: 50 }, () => world.somebody());
    for (const [index, person] of people.entries()) person.is({ onNetwork: index % 3 !== 0 });
    const expected = people.map(({ number }, index) => (index % 3 === 0 ? gone(number) : there(number)));
    expect(await check(people.map(({ number }) => number))).toEqual(expected);
  });

  it('what the network cannot say is null for those numbers alone', async () => {
    const people = Array.from({ length: 20 }, () => world.somebody());
    const numbers = people.map(({ number }) => number);
    const silent = [numbers[3], numbers[17]];
    for (const number of silent) {
      if (number !== undefined) world.server.faults.onUsync({ number, times: always }, { kind: 'error' });
    }
    expect(await check(numbers)).toEqual(numbers.map((number) => (silent.includes(number) ? unsaid(number) : there(number))));
  });

  it('while the connection is lost nothing is made up: null for all, and the next check answers', async () => {
    const friend = world.somebody();
    const { record } = world.server;
    const logins = record.logins(me);
    world.server.faults.onUsync({ number: friend.number }, { kind: 'drop' });
    expect(await check([friend.number])).toEqual([unsaid(friend.number)]);
    await record.until(() => record.logins(me) > logins);
    await world.customer.reaches(instance_id, 'open');
    expect(await check([friend.number])).toEqual([there(friend.number)]);
  });

  it('a positive answer is used for the next send', async () => {
    const dialled = world.server.person('5511987650021');
    const answering = world.server.person('551187650021');
    dialled.is({ answersAs: answering.number });
    expect(await check([dialled.number])).toEqual([there(dialled.number, answering.number)]);
    world.server.faults.onUsync({ number: dialled.number, times: always }, { kind: 'error' });
    const answer = await world.text(instance_id, dialled.number);
    expect(answer.status).toBe(200);
    await answering.nextReceived(({ id }) => id === answer.body.data.message_id);
  });
});
