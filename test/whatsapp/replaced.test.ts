import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Customer, TestGateway } from '../support/gateway.ts';
import { refusal } from '../support/refusal.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';
import type { Person } from '../support/whatsapp-server/index.ts';

const parked = { status: 'close', connected: false, restriction: { reason: 'replaced', until: null } };

describe('a data folder that was copied and started twice', () => {
  let world: WhatsAppWorld;
  let phone: Person;
  let id: string;
  let second: { readonly gateway: TestGateway; readonly customer: Customer };
  beforeEach(async () => {
    // Its data is a folder that can be copied.
    world = await startWhatsAppWorld({ store: 'sqlite' });
    phone = world.somebody();
    id = await world.linkedNumber(phone.number);
    const copy = await world.backup();
    await world.customer.reaches(id, 'open');
    second = await world.secondGateway(copy);
    await second.customer.reaches(id, 'open');
    await world.customer.reaches(id, 'close');
  });
  afterEach(async () => {
    await second?.gateway.stop();
    await world?.close();
  });
  const logins = () => world.server.record.logins(phone.number);
  const arrives = async (customer: Customer) => {
    const friend = world.somebody();
    const answer = await customer.send('text', { instance_id: id, to: friend.number, text: 'Hello' });
    expect(answer.status).toBe(200);
    expect(await friend.nextReceived(({ id: received }) => received === answer.body.data.message_id)).toMatchObject({ times: 1 });
  };

  it('parks the number in the first gateway, keeps its keys, and leaves the second alone', async () => {
    const before = logins();
    expect(await world.get(id, 'status')).toMatchObject({ ...parked, phone_number: phone.number });
    expect(await world.text(id, '4915120000003')).toMatchObject(refusal(409, 'instance_not_connected'));
    expect(await world.records(id)).toBeGreaterThan(5);
    await arrives(second.customer);

    await world.gateway.restart();
    expect(await world.get(id, 'status')).toMatchObject(parked);
    await arrives(second.customer);
    expect(logins()).toBe(before);
    expect(world.server.record.linked()).toContain(phone.number);
  });

  it.each([false, true])('gives it back to the first by GET qr, without a scan (after a restart: %s)', async (restarted) => {
    if (restarted) await world.gateway.restart();
    expect(await world.get(id, 'qr')).toMatchObject({ status: 'open', already_connected: true, qrcode: null });
    await arrives(world.customer);
    await second.customer.reaches(id, 'close');
    expect((await second.customer.call('GET', `/v1/instances/${id}/status`)).body.data).toMatchObject(parked);
    await second.gateway.stop();
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    await arrives(world.customer);
  });

  it('shows a new code when the phone has removed the link meanwhile', async () => {
    await phone.unlink();
    await second.customer.reaches(id, 'close');
    expect(await world.records(id)).toBeGreaterThan(5);
    await phone.scan(await world.code(id));
    await world.customer.reaches(id, 'open');
    await arrives(world.customer);
  });

  it('lets go of the number in the first without unlinking it for the second', async () => {
    expect((await world.customer.call('DELETE', `/v1/instances/${id}`)).status).toBe(200);
    expect(world.server.record.logouts).not.toContain(phone.number);
    await arrives(second.customer);
  });
});
