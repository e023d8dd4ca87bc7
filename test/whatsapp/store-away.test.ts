import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { type AnswerLoss, loseDiskAnswers } from '../support/lost-answers.ts';
import { refusal } from '../support/refusal.ts';
import { fillDisk, type Outage } from '../support/refused-writes.ts';
import { storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe.each(storeKinds)('a store that is away while a number is connected (%s)', (store) => {
  let world: WhatsAppWorld;
  let phone: Person;
  let id: string;
  let disk: AnswerLoss | null;
  beforeAll(async () => {
    disk = store === 'sqlite' ? loseDiskAnswers() : null;
    world = await startWhatsAppWorld({ store, env: { DATABASE_DURABILITY: 'full' } });
    phone = world.somebody();
    id = await world.linkedNumber(phone.number);
  });
  afterAll(async () => {
    await world?.close();
    await disk?.close();
  });
  /** Nothing that a number has to store is stored until it ends. */
  const outage = async (): Promise<Outage> => {
    if (disk === null) return fillDisk(world.gateway.app.store, 'credentials');
    const lossy = disk;
    lossy.losing = true;
    return {
      failures: async () => lossy.lost,
      end: async () => {
        lossy.losing = false;
      },
    };
  };

  it('is waited for: the number stays connected, nothing is sent, and then everything goes on', async () => {
    const friend = world.somebody();
    expect((await world.text(id, friend.number, 'before')).status).toBe(200);
    const logins = world.server.record.logins(phone.number);
    const sent = world.server.record.messages;

    const { failures, end } = await outage();
    // The answer moves the session on, which must be stored.
    await friend.send(phone.number, 'an answer');
    await waitFor(async () => expect(await failures()).toBeGreaterThan(4));
    expect(await world.text(id, friend.number, 'meanwhile')).toMatchObject(refusal(502, 'upstream_unavailable'));
    expect(world.server.record.messages).toBe(sent);
    expect(world.server.record.connected()).toContain(phone.number);
    await end();
    await waitFor(() => expect(world.gateway.app.store.writability.trouble).toBeNull());

    expect((await world.text(id, friend.number, 'after')).status).toBe(200);
    await friend.nextReceived(({ message }) => message.conversation === 'after');
    expect((await friend.received()).map(({ message }) => message.conversation)).toEqual(['before', 'after']);
    expect(world.server.record.logins(phone.number)).toBe(logins);
    expect(world.server.record.problems).toEqual([]);
  });
});
