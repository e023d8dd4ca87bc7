import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('a linked number never appears online, so that its phone keeps ringing', () => {
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
  });
  // It rejects if a presence that means "available" has arrived, in this file as in every other.
  afterAll(() => world?.close());

  const presences = (person: Person) => world.server.record.presences.filter(({ number }) => number === person.number);
  const unavailable = (person: Person, name: string) => ({ number: person.number, type: 'unavailable', name });

  /** The phone sends its companions the account's name. */
  async function names(person: Person, name: string) {
    await person.handHistory({ names: [{ number: person.number, name }] }, 'inline');
  }

  it('it says that it is unavailable as soon as its name is known, and after each login [presence.unavailable]', async () => {
    const person = world.somebody();
    const id = await world.linkedNumber(person.number);
    expect(presences(person)).toEqual([]);
    await names(person, 'Ada');
    await world.server.record.until(() => presences(person).length === 1);
    const before = world.server.record.logins(person.number);
    await world.server.faults.end(person.number, { kind: 'drop' });
    await world.server.record.until(() => world.server.record.logins(person.number) > before);
    await world.customer.reaches(id, 'open');
    await world.server.record.until(() => presences(person).length === 2);
    expect(presences(person)).toEqual([unavailable(person, 'Ada'), unavailable(person, 'Ada')]);
  });

  it('nothing that changes its credentials makes it appear online [presence.unavailable]', async () => {
    const person = world.somebody();
    await world.linkedNumber(person.number);
    await names(person, 'Ada');
    await world.server.record.until(() => presences(person).length === 1);
    person.nudges('dirty');
    person.nudges('account_sync');
    // Answered by new keys, which come after all that the other two would have caused.
    const keys = world.server.record.uploadsOfKeys(person.number);
    person.nudges('few_keys');
    await world.server.record.until(() => world.server.record.uploadsOfKeys(person.number) > keys && person.unacknowledged === 0);
    expect(presences(person)).toEqual([unavailable(person, 'Ada')]);
  });

  it('nor does linking by a typed code, which begins with a name that is none [presence.unavailable]', async () => {
    const person = world.somebody();
    const id = await world.instance();
    const { qrcode } = await world.get(id, `qr?phone_number=${person.number}`);
    await person.enterPairingCode(qrcode.pairingCode);
    await world.customer.reaches(id, 'open');
    await names(person, 'Ada');
    await world.server.record.until(() => presences(person).length === 1);
    expect(world.server.record.presences.filter(({ type }) => type !== 'unavailable')).toEqual([]);
  });
});
