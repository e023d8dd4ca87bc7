import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const dayMs = 24 * 60 * 60 * 1000;

describe('the signed pre-key of a linked number', () => {
  let world: WhatsAppWorld;
  const clock = createManualClock(Date.now());
  beforeAll(async () => {
    world = await startWhatsAppWorld({ clock, server: { clock } });
  });
  afterAll(() => world?.close());

  async function linked() {
    const sender = world.somebody();
    return { id: await world.linkedNumber(sender.number), sender };
  }
  const rotations = (sender: Person) => world.server.record.rotations.filter(({ number }) => number === sender.number);
  const rotated = (sender: Person, times: number) => world.server.record.until(() => rotations(sender).length === times);

  /** Days pass; timers of the last one fire. */
  function daysPass(days: number) {
    clock.setCalendar((days - 1) * dayMs);
    clock.advance(dayMs);
  }

  async function reconnected(id: string, sender: Person) {
    const before = world.server.record.logins(sender.number);
    await world.server.faults.end(sender.number, { kind: 'drop' });
    await comesBack(id, sender, before);
  }

  /** The gateway waits before it connects again. */
  async function comesBack(id: string, sender: Person, loginsBefore: number) {
    await waitFor(async () => {
      await clock.advanceAsync(1_000);
      expect(world.server.record.logins(sender.number)).toBe(loginsBefore + 1);
    });
    await world.customer.reaches(id, 'open');
  }

  /** Sends a text that must arrive. */
  async function expectWorking(id: string) {
    const friend = world.somebody();
    const { body } = await world.text(id, friend.number);
    expect(body).toMatchObject({ success: true });
    await friend.nextReceived((message) => message.id === body.data.message_id);
  }

  /** A message from this person that the gateway has read, as its receipt shows. */
  async function expectRead(from: Person, sender: Person) {
    const { record } = world.server;
    const written = await from.send(sender.number, 'Hello');
    await record.until(() => record.receipts.some(({ id }) => id === written));
    expect(record.receipts.filter(({ id }) => id === written).map(({ type }) => type)).not.toContain('retry');
  }

  it('is replaced every 27 days while the number is connected, and not before', async () => {
    const { id, sender } = await linked();
    daysPass(26);
    await reconnected(id, sender);
    expect(rotations(sender)).toEqual([]);
    daysPass(1);
    await rotated(sender, 1);
    await expectWorking(id);
    daysPass(27);
    await rotated(sender, 2);
    expect(rotations(sender)).toEqual([
      { number: sender.number, keyId: 2, refusal: null },
      { number: sender.number, keyId: 3, refusal: null },
    ]);
    await expectWorking(id);
  });

  it('is replaced after the login when the time has passed while the gateway was down', async () => {
    const { id, sender } = await linked();
    await world.gateway.restart({ whileDown: async () => daysPass(40) });
    await world.customer.reaches(id, 'open');
    await rotated(sender, 1);
    await expectWorking(id);
  });

  it('an earlier one still reads what was written with it, also after a restart', async () => {
    const { id, sender } = await linked();
    const [early, late, current] = [world.somebody(), world.somebody(), world.somebody()];
    for (const friend of [early, late]) await friend.fetchKeysOf(sender.number);
    daysPass(27);
    await rotated(sender, 1);
    await expectRead(early, sender);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    await expectRead(late, sender);
    await current.fetchKeysOf(sender.number);
    await expectRead(current, sender);
  });

  it('a connection that is lost before WhatsApp has taken it: goes again over the next one', async () => {
    const { id, sender } = await linked();
    const before = world.server.record.logins(sender.number);
    world.server.faults.onRotation(sender.number, 'cut_before');
    daysPass(27);
    await comesBack(id, sender, before);
    await rotated(sender, 1);
    await expectRead(world.somebody(), sender);
  });

  it('WhatsApp takes it, but the gateway is restarted before it knows: reads with it, and sends the same again', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    world.server.faults.onRotation(sender.number, 'cut_after');
    world.server.faults.onRotation(sender.number, 503);
    daysPass(27);
    await rotated(sender, 1);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    await rotated(sender, 2);
    await expectRead(friend, sender);
    daysPass(1);
    await rotated(sender, 3);
    // Another key under the same id would be refused.
    expect(rotations(sender)).toMatchObject([{ keyId: 2, refusal: null }, { refusal: 503 }, { keyId: 2, refusal: null }]);
    await expectRead(world.somebody(), sender);
  });

  it('trouble of the network: tried again a day later with the same key', async () => {
    const { sender } = await linked();
    world.server.faults.onRotation(sender.number, 503);
    daysPass(27);
    await rotated(sender, 1);
    daysPass(1);
    await rotated(sender, 2);
    expect(rotations(sender)).toMatchObject([{ refusal: 503 }, { keyId: 2, refusal: null }]);
  });

  it.each([406, 409])('a key that is refused (%i) is thrown away, and the old one stays for another 27 days', async (code) => {
    const { id, sender } = await linked();
    world.server.faults.onRotation(sender.number, code);
    daysPass(27);
    await rotated(sender, 1);
    // Whoever has read what came after the refusal has read the refusal. One that is lost with the connection has the key sent again.
    await expectRead(world.somebody(), sender);
    await reconnected(id, sender);
    await expectRead(world.somebody(), sender);
    daysPass(26);
    expect(rotations(sender)).toHaveLength(1);
    daysPass(1);
    await rotated(sender, 2);
    expect(rotations(sender)).toMatchObject([{ refusal: code }, { keyId: 2, refusal: null }]);
  });

  it('nothing was refused as malformed, and no number wrote with an old one', () => {
    expect(world.server.record.problems).toEqual([]);
  });
});
