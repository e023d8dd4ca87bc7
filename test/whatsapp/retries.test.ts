import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { followClock } from '../support/database-clock.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { makeUnreadable } from '../support/refused-writes.ts';
import { storeKinds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const hourMs = 60 * 60_000;
const me = '4915110000061';

/** Starts a gateway with one linked number. */
async function linked(options: Parameters<typeof startWhatsAppWorld>[0] & { number?: string }) {
  const world = await startWhatsAppWorld(options);
  return { world, id: await world.linkedNumber(options.number ?? me) };
}

async function kept(world: WhatsAppWorld) {
  return world.gateway.app.store.db.selectFrom('sent_messages').select(['message_id', 'sealed']).execute();
}

/** The phone shows the text once. */
async function expectShown(friend: Person, messageId: string, text: string) {
  const received = await friend.nextReceived((message) => message.id === messageId);
  expect(received).toMatchObject({ times: 1, message: { conversation: text } });
}

describe.each(storeKinds)('a message that its recipient could not read (%s)', (store) => {
  let world: WhatsAppWorld;
  let id: string;
  beforeAll(async () => {
    ({ world, id } = await linked({ store }));
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());
  const resends = (messageId: string) => world.server.record.resends.filter((resend) => resend.id === messageId);

  async function sent(friend: Person, text: string): Promise<string> {
    const answer = await world.text(id, friend.number, text);
    expect(answer.status).toBe(200);
    return answer.body.data.message_id;
  }

  it('is sent again after a restart of the gateway, and is then deleted', async () => {
    const friend = world.somebody();
    friend.is({ away: true });
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    const messageId = await sent(friend, 'Before the restart');
    expect((await kept(world)).map(({ message_id }) => message_id)).toContain(messageId);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    friend.is({ away: false });
    await expectShown(friend, messageId, 'Before the restart');
    await expect.poll(async () => (await kept(world)).map(({ message_id }) => message_id)).not.toContain(messageId);
    expect(world.logged()).not.toContain('Before the restart');
  });

  it('is kept encrypted, under its own name, until every device of its recipient has confirmed it', async () => {
    const friend = world.somebody();
    friend.is({ companions: 1, away: true });
    const messageId = await sent(friend, 'Nobody else reads this');
    const rows = await kept(world);
    const row = rows.find(({ message_id }) => message_id === messageId);
    expect(row).toBeDefined();
    expect(Buffer.from(row?.sealed ?? []).includes('Nobody else')).toBe(false);
    friend.is({ away: false });
    await expectShown(friend, messageId, 'Nobody else reads this');
    await expect.poll(async () => (await kept(world)).map(({ message_id }) => message_id)).not.toContain(messageId);
  });

  it('is deleted with its number', async () => {
    const friend = world.somebody();
    const other = await world.linkedNumber('4915110000062');
    friend.is({ away: true });
    const messageId = (await world.text(other, friend.number, 'Gone')).body.data.message_id;
    expect((await kept(world)).map(({ message_id }) => message_id)).toContain(messageId);
    await world.customer.call('DELETE', `/v1/instances/${other}?logout_only=true`);
    expect((await kept(world)).map(({ message_id }) => message_id)).not.toContain(messageId);
  });

  // The rest is the same on every store.
  if (store !== storeKinds[0]) return;

  it('is sent again to the device that asks, with its count and to nobody else', async () => {
    const friend = world.somebody();
    friend.is({ companions: 2 });
    world.server.faults.onMessage({ to: friend.number, times: 3 }, { kind: 'undecryptable' });
    const messageId = await sent(friend, 'Three times');
    await expectShown(friend, messageId, 'Three times');
    const device = `${friend.number}@s.whatsapp.net`;
    expect(resends(messageId)).toMatchObject([1, 2, 3].map((count) => ({ count, devices: [device] })));
    expect(world.server.record.problems).toEqual([]);
  });

  it('is asked for a fifth time: nothing is sent any more', async () => {
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number, times: Number.POSITIVE_INFINITY }, { kind: 'undecryptable' });
    const messageId = await sent(friend, 'In vain');
    // The fifth receipt is acknowledged like the others.
    await world.server.record.until(() => world.server.record.retriesAcknowledged(messageId) === 5);
    expect(resends(messageId)).toHaveLength(4);
  });

  it.each([
    ['and the network reports its new identity', false],
    ['and nothing is reported', true],
  ])('because its phone was installed anew meanwhile, %s: it can, and so it can the next one', async (_, silently) => {
    const friend = world.somebody();
    await expectShown(friend, await sent(friend, 'To the old phone'), 'To the old phone');
    friend.is({ away: true });
    const messageId = await sent(friend, 'Under way');
    friend.reinstall({ silently });
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    friend.is({ away: false });
    await expectShown(friend, messageId, 'Under way');
    await expectShown(friend, await sent(friend, 'To the new phone'), 'To the new phone');
  });

  it('and that cannot be read from the store when it is asked for is sent again when it can', async () => {
    const friend = world.somebody();
    friend.is({ away: true });
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    const messageId = await sent(friend, 'After the outage');
    // Afterwards it is in the store alone.
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    const unreadable = makeUnreadable(world.gateway.app.store, 'sent_messages');
    friend.is({ away: false });
    await waitFor(() => expect(unreadable.failures).toBeGreaterThan(0));
    unreadable.end();
    await expectShown(friend, messageId, 'After the outage');
    // The network repeats the receipt to the next connection, in case this process had ended before.
    expect(world.server.record.retriesAcknowledged(messageId)).toBe(0);
  });

  it('is given to nobody but its recipient', async () => {
    const [friend, stranger] = [world.somebody(), world.somebody()];
    friend.is({ away: true });
    const messageId = await sent(friend, 'Not for strangers');
    const before = world.server.record.retriesAcknowledged(messageId);
    await stranger.askFor(me, messageId);
    await world.server.record.until(() => world.server.record.retriesAcknowledged(messageId) === before + 1);
    expect(resends(messageId)).toEqual([]);
    expect(await stranger.received()).toEqual([]);
  });
});

describe('sent messages that nobody confirms', () => {
  it('are deleted after RETRY_KEEP_HOURS', async () => {
    const clock: ManualClock = createManualClock(Date.now());
    const { world, id } = await linked({ clock, env: { RETRY_KEEP_HOURS: '2' } });
    const friend = world.somebody();
    friend.is({ away: true });
    expect((await world.text(id, friend.number)).status).toBe(200);
    await clock.advanceAsync(hourMs);
    expect(await kept(world)).toHaveLength(1);
    await expect
      .poll(async () => {
        await clock.advanceAsync(10 * 60_000);
        await followClock(world.gateway.app.store, clock);
        return kept(world);
      })
      .toEqual([]);
    await world.close();
  });

  it('are not stored with RETRY_KEEP_HOURS=0, and answered from memory', async () => {
    const { world, id } = await linked({ env: { RETRY_KEEP_HOURS: '0' } });
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    const answer = await world.text(id, friend.number, 'From memory');
    await expectShown(friend, answer.body.data.message_id, 'From memory');
    expect(await kept(world)).toEqual([]);
    await world.close();
  });
});
