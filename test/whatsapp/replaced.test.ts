import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import type { Customer, TestGateway } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const parked = { status: 'close', connected: false, restriction: { reason: 'replaced', until: null } };

/** A number of both gateways. */
interface Shared {
  readonly phone: Person;
  readonly id: string;
}

describe('a data folder that was copied and started twice', () => {
  let world: WhatsAppWorld;
  let second: { readonly gateway: TestGateway; readonly customer: Customer };
  /** Each test has one of its own, so that one copy is enough for all. */
  const numbers: Shared[] = [];
  beforeAll(async () => {
    // Its data is a folder that can be copied.
    world = await startWhatsAppWorld({ store: 'sqlite' });
    for (let count = 0; count < 5; count++) {
      const phone = world.somebody();
      const id = await world.linkedNumber(phone.number);
      numbers.push({ phone, id });
      // Whoever can write to somebody new has the account's key, which is then in the copy, too.
      await arrives(world.customer, id);
    }
    const copy = await world.backup();
    for (const { id } of numbers) await world.customer.reaches(id, 'open');
    second = await world.secondGateway(copy);
    for (const { id } of numbers) {
      await second.customer.reaches(id, 'open');
      await world.customer.reaches(id, 'close');
    }
  });
  afterAll(async () => {
    await second?.gateway.stop();
    await world?.close();
  });
  const next = (): Shared => {
    const number = numbers.pop();
    if (number === undefined) throw new Error('more tests than numbers');
    return number;
  };
  const logins = ({ phone }: Shared) => world.server.record.logins(phone.number);
  const arrives = async (customer: Customer, id: string) => {
    const friend = world.somebody();
    const answer = await customer.send('text', { instance_id: id, to: friend.number, text: 'Hello' });
    expect(answer.status).toBe(200);
    expect(await friend.nextReceived(({ id: received }) => received === answer.body.data.message_id)).toMatchObject({ times: 1 });
  };

  it('parks the number in the first gateway, keeps its keys, and leaves the second alone [replaced.parked]', async () => {
    const number = next();
    const { phone, id } = number;
    const before = logins(number);
    expect(await world.get(id, 'status')).toMatchObject({ ...parked, phone_number: phone.number });
    expect(await world.text(id, '4915120000003')).toMatchObject(refusal(409, 'instance_not_connected'));
    expect(await world.records(id)).toBeGreaterThan(5);
    await arrives(second.customer, id);

    await world.gateway.restart();
    expect(await world.get(id, 'status')).toMatchObject(parked);
    await arrives(second.customer, id);
    expect(logins(number)).toBe(before);
    expect(world.server.record.linked()).toContain(phone.number);
  });

  it.each([false, true])('gives it back to the first by GET qr without a scan (after a restart: %s) [replaced.back]', async (restarted) => {
    const { id } = next();
    if (restarted) await world.gateway.restart();
    // 503 while it takes longer than a caller is kept waiting.
    const open = { status: 'open', already_connected: true, qrcode: null };
    await waitFor(async () => expect(await world.get(id, 'qr')).toMatchObject(open));
    await arrives(world.customer, id);
    await second.customer.reaches(id, 'close');
    expect((await second.customer.call('GET', `/v1/instances/${id}/status`)).body.data).toMatchObject(parked);
    // The second one leaves it alone, too, so the first has it again after a restart.
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    await arrives(world.customer, id);
  });

  it('shows a new code when the phone has removed the link meanwhile', async () => {
    const { phone, id } = next();
    await phone.unlink();
    await second.customer.reaches(id, 'close');
    expect(await world.records(id)).toBeGreaterThan(5);
    await phone.scan(await world.code(id));
    await world.customer.reaches(id, 'open');
    await arrives(world.customer, id);
  });

  it('lets go of the number in the first without unlinking it for the second', async () => {
    const { phone, id } = next();
    expect((await world.customer.call('DELETE', `/v1/instances/${id}`)).status).toBe(200);
    expect(world.server.record.logouts).not.toContain(phone.number);
    await arrives(second.customer, id);
  });
});
