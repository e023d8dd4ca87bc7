import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const hourMs = 60 * 60 * 1000;

describe('a WhatsApp number that is banned for a while', () => {
  const clock = createManualClock();
  let world: WhatsAppWorld;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ clock });
  });
  afterAll(() => world?.close());

  it('stays away until the end, over a restart too, and then comes back by itself', async () => {
    const { record, faults } = world.server;
    const phone = world.somebody();
    const id = await world.linkedNumber(phone.number);
    faults.onLogin(phone.number, { code: 402, expireSeconds: 3600 });
    await faults.end(phone.number, { kind: 'drop' });
    await world.customer.reaches(id, 'connecting');
    const until = new Date(clock.now() + hourMs).toISOString();
    const banned = { status: 'connecting', connected: false, restriction: { reason: 'temporarily_banned', until } };
    await waitFor(async () => {
      // The first try to come back is due at once, on a clock that has to be turned.
      await clock.advanceAsync(0);
      expect(await world.get(id, 'status')).toMatchObject(banned);
    });

    faults.onLogin(phone.number, null);
    const before = record.logins(phone.number);
    record.resetMostLoginsAtOnce();
    await clock.advanceAsync(hourMs / 2);
    expect(await world.get(id, 'status')).toMatchObject(banned);
    await world.gateway.restart();
    expect(await world.get(id, 'status')).toMatchObject(banned);
    await clock.advanceAsync(hourMs / 2 - 1);
    expect(record.logins(phone.number)).toBe(before);
    expect(record.mostLoginsAtOnce).toBe(0);

    await clock.advanceAsync(1);
    await world.customer.reaches(id, 'open');
    expect(await world.get(id, 'status')).not.toHaveProperty('restriction');
    expect((await world.text(id, '4915120000005')).status).toBe(200);
  });
});
