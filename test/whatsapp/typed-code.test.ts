import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('a code that is typed on the phone, over HTTP and WhatsApp', () => {
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());

  it.each([
    ['has been shown for too long', {}],
    ['is to be replaced, says the owner of the phone', { manually: true }],
  ])('that %s is replaced by another one, which links [pairing-code.asked]', async (_, how) => {
    const id = await world.instance();
    const phone = world.somebody();
    const first = (await world.get(id, `qr?phone_number=${phone.number}`)).qrcode.pairingCode;
    await phone.refreshPairingCode(how);
    const second = await waitFor(async () => {
      const { pairingCode } = (await world.get(id, 'qr-status')).qrcode;
      expect(pairingCode).not.toBe(first);
      return pairingCode;
    });
    expect(second).toMatch(/^[A-Z0-9]{8}$/);
    await phone.enterPairingCode(second);
    await world.customer.reaches(id, 'open');
  });

  it.each(['scan', 'code'])('a link by %s is the same when the network writes its address as a plain server name', async (by) => {
    world.server.faults.writeBareServer(true);
    const id = await world.instance();
    const phone = world.somebody();
    if (by === 'scan') await phone.scan(await world.code(id));
    else await phone.enterPairingCode((await world.get(id, `qr?phone_number=${phone.number}`)).qrcode.pairingCode);
    await world.customer.reaches(id, 'open');
    // A notification to a device that is logged in.
    const before = world.server.record.uploadsOfKeys(phone.number);
    phone.nudges('few_keys');
    await world.server.record.until(() => world.server.record.uploadsOfKeys(phone.number) > before);
  });

  it('nothing was refused or went unacknowledged', () => {
    expect(world.server.record.problems).toEqual([]);
  });
});
