import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('linking a number over HTTP and WhatsApp', () => {
  const clock = createManualClock();
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ clock });
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());
  const linkedDevices = (number: string) => world.server.record.linked().includes(number);

  it('six codes, then the attempt is exhausted and has left nothing; the next one links', async () => {
    const id = await world.instance();
    const phone = world.somebody();
    const codes = new Set([await world.code(id)]);
    for (const [index, lifetimeMs] of [60_000, 20_000, 20_000, 20_000, 20_000].entries()) {
      clock.advance(lifetimeMs - 1);
      expect(await world.get(id, 'qr-status')).toMatchObject({ rotation_count: index + 1, rotation_limit: 6, exhausted: false });
      await clock.advanceAsync(1);
      const shown = await world.get(id, 'qr-status');
      expect(shown).toMatchObject({ status: 'connecting', rotation_count: index + 2, exhausted: false });
      codes.add(shown.qrcode.code);
    }
    expect(codes.size).toBe(6);

    await clock.advanceAsync(20_000);
    await waitFor(async () => expect(await world.get(id, 'qr-status')).toMatchObject({ exhausted: true }));
    expect(await world.get(id, 'qr-status')).toMatchObject({ status: 'close', connected: false, qrcode: null, rotation_count: 6 });
    expect(await world.records(id)).toBe(0);
    for (const code of codes) await expect(phone.scan(code)).rejects.toThrow('no open pairing attempt');
    expect(await world.text(id, '4915120000001')).toMatchObject(refusal(409, 'instance_not_connected'));

    const fresh = await world.code(id);
    expect(codes.has(fresh)).toBe(false);
    expect(await world.get(id, 'qr-status')).toMatchObject({ status: 'connecting', rotation_count: 1, exhausted: false });
    await phone.scan(fresh);
    await world.customer.reaches(id, 'open');
    expect((await world.text(id, '4915120000001')).status).toBe(200);
  });

  it('a connection that is cut before the phone has linked: nothing is left, and a new attempt links', async () => {
    const id = await world.instance();
    const phone = world.somebody();
    world.server.faults.onPairing('before');
    await expect(phone.scan(await world.code(id))).rejects.toThrow();
    await world.customer.reaches(id, 'close');
    expect(await world.records(id)).toBe(0);
    expect(linkedDevices(phone.number)).toBe(false);
    expect(await world.get(id, 'qr-status')).toMatchObject({ status: 'close', connected: false, qrcode: null, phone_number: null });

    await phone.scan(await world.code(id));
    await world.customer.reaches(id, 'open');
    expect(await world.get(id, 'status')).toMatchObject({ connected: true, phone_number: phone.number });
  });

  it('a connection that is cut after the phone has linked: the number logs in by itself', async () => {
    const id = await world.instance();
    const phone = world.somebody();
    world.server.faults.onPairing('after');
    await phone.scan(await world.code(id));
    await world.customer.reaches(id, 'open');
    expect(await world.get(id, 'status')).toMatchObject({ connected: true, phone_number: phone.number });
    expect((await world.text(id, '4915120000002')).status).toBe(200);
  });

  it('a network that is away right after the phone has linked: the number logs in once it is back', async () => {
    const id = await world.instance();
    const phone = world.somebody();
    const code = await world.code(id);
    // What is connected stays so; the login that follows the scan is refused, again and again.
    world.server.faults.refuseConnections(true);
    const scanned = phone.scan(code);
    await world.server.record.until(() => linkedDevices(phone.number));
    // Asked without HTTP, as it takes longer than the rate limit lets anybody ask.
    const session = () => world.gateway.app.sessions.find(world.customer.accountId, id);
    await waitFor(() => expect(session()?.attempt?.code).toBeNull());
    expect(await world.get(id, 'qr-status')).toMatchObject({ status: 'connecting', qrcode: null, exhausted: false });
    world.server.faults.refuseConnections(false);
    await waitFor(async () => {
      await clock.advanceAsync(1_000);
      expect(await world.get(id, 'status')).toMatchObject({ connected: true, phone_number: phone.number });
    });
    await scanned;
  });

  it('a restart in the middle of an attempt leaves nothing; the instance can be linked afterwards', async () => {
    const id = await world.instance();
    const before = await world.code(id);
    await world.gateway.restart();
    expect(await world.get(id, 'status')).toMatchObject({ status: 'close', connected: false, phone_number: null });
    expect(await world.records(id)).toBe(0);
    const phone = world.somebody();
    await expect(phone.scan(before)).rejects.toThrow('no open pairing attempt');
    await phone.scan(await world.code(id));
    await world.customer.reaches(id, 'open');
  });

  it('the same number on two instances: the second is unlinked again and says so, the first keeps working', async () => {
    const phone = world.somebody();
    const first = await world.linkedNumber(phone.number);
    const second = await world.instance();
    await phone.scan(await world.code(second));
    const conflict = refusal(409, 'number_already_connected');
    const ask = (rest: string) => world.customer.call('GET', `/v1/instances/${second}/${rest}`);
    await waitFor(async () => expect(await ask('status')).toMatchObject(conflict));
    expect(await ask('qr-status')).toMatchObject(conflict);
    expect(world.server.record.logouts.filter((number) => number === phone.number)).toHaveLength(1);
    expect(await world.records(second)).toBe(0);

    expect(await world.get(first, 'status')).toMatchObject({ status: 'open', phone_number: phone.number });
    const friend = world.somebody();
    const answer = await world.text(first, friend.number);
    const received = await friend.nextReceived(({ id }) => id === answer.body.data.message_id);
    expect(received).toMatchObject({ from: phone.number, times: 1 });

    const other = world.somebody();
    await other.scan(await world.code(second));
    await world.customer.reaches(second, 'open');
    expect(await world.get(second, 'status')).toMatchObject({ phone_number: other.number });
  });
});
