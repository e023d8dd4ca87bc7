import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Faults, Person } from 'whatsapp-test-server';
import { refusal } from '../support/refusal.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

type End = Parameters<Faults['end']>[1];

describe('a linked WhatsApp number whose connection ends', () => {
  let world: WhatsAppWorld;
  let id: string;
  let phone: Person;
  beforeAll(async () => {
    // An answer to a ping may take two thirds of this: long enough for a busy machine, also while a number is linked.
    world = await startWhatsAppWorld({ timing: { keepAliveMs: 4_500 } });
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    world.server.faults.clear();
    phone = world.somebody();
    id = await world.linkedNumber(phone.number);
  });
  const logins = () => world.server.record.logins(phone.number);
  const end = (how: End) => world.server.faults.end(phone.number, how);

  async function expectWorking() {
    const friend = world.somebody();
    const answer = await world.text(id, friend.number);
    expect(answer.status).toBe(200);
    const received = await friend.nextReceived((message) => message.id === answer.body.data.message_id);
    expect(received).toMatchObject({ from: phone.number, times: 1 });
  }

  /** Closed for good: nothing is tried any more, nothing is left, and a person can scan again. */
  async function expectGone(reason: string) {
    const before = logins();
    await world.customer.reaches(id, 'close');
    expect(world.logged()).toContain(`"instance_id":"${id}","reason":"${reason}"`);
    expect(await world.records(id)).toBe(0);
    expect(await world.get(id, 'status')).toMatchObject({ status: 'close', connected: false, phone_number: phone.number });
    expect(await world.text(id, '4915120000003')).toMatchObject(refusal(409, 'instance_not_connected'));
    expect(logins()).toBe(before);
    world.server.faults.clear();
    await phone.scan(await world.code(id));
    await world.customer.reaches(id, 'open');
    await expectWorking();
  }

  it.each([
    ['is cut', { kind: 'drop' }],
    ['is ended with 503', { kind: 'stream_error', code: 503 }],
    ['is ended with 515', { kind: 'stream_error', code: 515 }],
    ['goes silent', { kind: 'silence' }],
  ] as const)('%s: comes back by itself', async (_, how) => {
    const before = logins();
    await end(how);
    await world.server.record.until(() => logins() === before + 1);
    await world.customer.reaches(id, 'open');
    await expectWorking();
    expect(logins()).toBe(before + 1);
  });

  it('goes silent: a look at qr-status finds out, too', async () => {
    const before = logins();
    await end({ kind: 'silence' });
    await world.get(id, 'qr-status');
    await world.server.record.until(() => logins() === before + 1);
    await world.customer.reaches(id, 'open');
    expect(await world.get(id, 'qr-status')).toMatchObject({ status: 'open', connected: true, source: 'live' });
  });

  it('cannot come back for a while: is shown as connecting, and a send waits for it', async () => {
    world.server.faults.refuseConnections(true);
    await end({ kind: 'drop' });
    await world.customer.reaches(id, 'connecting');
    expect(await world.get(id, 'status')).toMatchObject({ status: 'connecting', connected: false, phone_number: phone.number });
    const friend = world.somebody();
    const answer = world.text(id, friend.number, 'Waited');
    world.server.faults.refuseConnections(false);
    expect((await answer).status).toBe(200);
    await friend.nextReceived(({ message }) => message.conversation === 'Waited');
  });

  it('finds the network in trouble (login refused with 503): comes back when that is over', async () => {
    world.server.faults.onLogin(phone.number, { code: 503 });
    await end({ kind: 'drop' });
    await world.customer.reaches(id, 'connecting');
    world.server.faults.onLogin(phone.number, null);
    await world.customer.reaches(id, 'open');
    await expectWorking();
  });

  it('is banned: stops', async () => {
    world.server.faults.onLogin(phone.number, { code: 403 });
    await end({ kind: 'drop' });
    await expectGone('banned');
  });

  it('is removed on the phone: says so at once', async () => {
    await phone.unlink();
    await expectGone('unlinked');
  });

  it('was removed on the phone while it was away: learns it at the login', async () => {
    world.server.faults.onLogin(phone.number, { code: 401 });
    await end({ kind: 'drop' });
    await expectGone('unlinked');
  });

  it('keeps the other numbers untouched', async () => {
    const other = world.somebody();
    const otherId = await world.linkedNumber(other.number);
    const before = world.server.record.logins(other.number);
    await end({ kind: 'stream_error', code: 440, conflict: 'replaced' });
    await world.customer.reaches(id, 'close');
    expect((await world.text(otherId, '4915120000004')).status).toBe(200);
    expect(world.server.record.logins(other.number)).toBe(before);
  });
});
