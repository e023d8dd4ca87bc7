import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScanAgain } from 'whatsapp-test-server';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const partsOf = (code: string) => code.slice(code.indexOf('#') + 1).split(',');

const problems = (world: WhatsAppWorld) => world.server.record.problems.filter((line) => !line.includes('to be replaced'));

describe('a code that the network wants renewed while a phone scans it', () => {
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
  });
  afterAll(() => world?.close());

  it('comes back with the same reference and another secret, in the same place, and links [whatsapp.qr-renewed]', async () => {
    const id = await world.instance();
    const phone = world.somebody();
    const first = await world.code(id);
    const before = await world.get(id, 'qr-status');
    let second = '';
    await phone.scan(first, () =>
      waitFor(async () => {
        const shown = await world.get(id, 'qr-status');
        expect(shown.qrcode.code).not.toBe(first);
        expect(shown).toMatchObject({ status: 'connecting', rotation_count: before.rotation_count, exhausted: false });
        second = shown.qrcode.code;
        return second;
      }),
    );
    await world.customer.reaches(id, 'open');
    const [ref, noise, identity, secret] = partsOf(first);
    expect(partsOf(second).slice(0, 3)).toEqual([ref, noise, identity]);
    expect(partsOf(second)[3]).not.toBe(secret);
    expect((await world.text(id, world.somebody().number)).status).toBe(200);
    expect(problems(world)).toEqual([]);
  });

  it('does not link by the code as it was before [whatsapp.qr-renewed]', async () => {
    const id = await world.instance();
    const phone = world.somebody();
    const code = await world.code(id);
    await expect(phone.scan(code, async () => code)).rejects.toThrow('whose secret was to be replaced');
    expect(world.server.record.linked()).not.toContain(phone.number);
  });

  it("by a typed code: what lacks the phone's key is ignored, and a refresh afterwards changes nothing", async () => {
    const id = await world.instance();
    const phone = world.somebody();
    await world.code(id);
    const { pairingCode } = (await world.get(id, `qr?phone_number=${phone.number}`)).qrcode;
    await phone.enterPairingCode(pairingCode);
    await world.customer.reaches(id, 'open');
    expect(problems(world)).toEqual([]);
  });

  it('by a typed code, after a phone has scanned: the code stays as it was [whatsapp.qr-renewed]', async () => {
    const id = await world.instance();
    const phone = world.somebody();
    const code = await world.code(id);
    const { pairingCode } = (await world.get(id, `qr?phone_number=${phone.number}`)).qrcode;
    await expect(phone.scan(code, () => Promise.reject(new ScanAgain()))).rejects.toThrow(ScanAgain);
    await waitFor(async () => expect((await world.get(id, 'qr-status')).qrcode.code).not.toBe(code));
    expect((await world.get(id, 'qr-status')).qrcode.pairingCode).toBe(pairingCode);
    await phone.enterPairingCode(pairingCode);
    await world.customer.reaches(id, 'open');
    expect(problems(world)).toEqual([]);
  });
});
