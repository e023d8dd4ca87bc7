import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { createTarget } from '../../src/alerts/index.ts';
import { createVault } from '../../src/core/index.ts';
import { at } from '../support/act.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { makeUnreadable, refuseRows } from '../support/refused-writes.ts';
import { storeKinds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const me = '4915110000071';

describe.each(storeKinds)('what WhatsApp reports of messages (%s)', (store) => {
  let world: WhatsAppWorld;
  let clock: ManualClock;
  let id: string;
  beforeAll(async () => {
    clock = createManualClock(Date.now());
    world = await startWhatsAppWorld({ store, clock });
    id = await world.linkedNumber(me);
  });
  afterAll(() => world?.close());
  beforeEach(() => world.server.faults.clear());

  const rows = () => world.gateway.app.store.db.selectFrom('message_events').selectAll().orderBy('id').execute();
  const eventsOf = async (messageId: string) => (await rows()).filter((row) => row.message_id === messageId).map(({ event }) => event);
  const acknowledged = () => world.server.record.until(() => world.server.person(me).unacknowledged === 0);
  async function sent(friend: Person): Promise<string> {
    const answer = await world.text(id, friend.number);
    expect(answer.status).toBe(200);
    return answer.body.data.message_id;
  }

  it('costs nothing while nobody wants it: it is acknowledged, and nothing is stored', async () => {
    const friend = world.somebody();
    const messageId = await sent(friend);
    await friend.nextReceived((message) => message.id === messageId);
    friend.reads(me, messageId);
    await acknowledged();
    expect(await rows()).toEqual([]);
  });

  it('is stored once a webhook wants it', async () => {
    const vault = createVault(Buffer.alloc(32, 1));
    const { store: stored } = world.gateway.app;
    const of = { accountId: world.customer.accountId };
    const events = ['message.delivered', 'message.read', 'message.lost'] as const;
    await createTarget({ store: stored, vault }, { of, kind: 'webhook', address: 'https://example.com/', events }, at(clock.now()));
    const friend = world.somebody();
    await waitFor(async () => {
      await clock.advanceAsync(2_000);
      expect(await eventsOf(await sent(friend))).toEqual(['delivered']);
    });
  });

  it('a delivery is reported once, however many devices the recipient has, and then the reading', async () => {
    const friend = world.somebody();
    friend.is({ companions: 2 });
    const messageId = await sent(friend);
    await waitFor(async () => expect(await eventsOf(messageId)).toEqual(['delivered']));
    await acknowledged();
    friend.reads(me, messageId);
    await waitFor(async () => expect(await eventsOf(messageId)).toEqual(['delivered', 'read']));
    friend.reads(me, messageId);
    await acknowledged();
    expect(await eventsOf(messageId)).toEqual(['delivered', 'read']);
    const [row] = (await rows()).filter((one) => one.message_id === messageId);
    expect(row).toMatchObject({ account_id: world.customer.accountId, instance_id: id });
  });

  it('receipts of the account’s own devices are not reported, and neither are those of messages that were not sent here', async () => {
    const friend = world.somebody();
    friend.is({ away: true });
    const messageId = await sent(friend);
    world.server.person(me).reads(me, messageId);
    friend.reads(me, '3EB0FFFFFFFFFFFFFFFFFF');
    await acknowledged();
    expect(await eventsOf(messageId)).toEqual([]);
    expect(await eventsOf('3EB0FFFFFFFFFFFFFFFFFF')).toEqual([]);
  });

  it('a receipt of an id that the store cannot take is acknowledged, and holds back no other', async () => {
    const friend = world.somebody();
    friend.reads(me, '3EB0\u0000FF');
    await acknowledged();
    await waitFor(async () => expect(await eventsOf(await sent(friend))).toEqual(['delivered']));
  });

  it('a message that a device asks for too often is lost', async () => {
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number, times: Number.POSITIVE_INFINITY }, { kind: 'undecryptable' });
    const messageId = await sent(friend);
    await waitFor(async () => expect(await eventsOf(messageId)).toEqual(['lost']));
  });

  it('while it cannot be stored it is not acknowledged; it is reported as soon as it can be', async () => {
    const accept = await refuseRows(world.gateway.app.store, 'message_events');
    const messageId = await sent(world.somebody());
    const tried = '"message events could not be stored and are tried again"';
    await waitFor(() => expect(world.logged()).toContain(tried));
    expect(world.server.person(me).unacknowledged).toBeGreaterThan(0);
    const logins = world.server.record.logins(me);
    await accept();
    await acknowledged();
    expect(await eventsOf(messageId)).toEqual(['delivered']);
    expect(world.server.record.logins(me)).toBe(logins);
  });

  it('what a gateway could not store before it ended is reported to the next one', async () => {
    const accept = await refuseRows(world.gateway.app.store, 'message_events');
    const messageId = await sent(world.somebody());
    await world.server.record.until(() => world.server.person(me).unacknowledged > 0);
    await world.gateway.restart({ whileDown: accept });
    await world.customer.reaches(id, 'open');
    await waitFor(async () => expect(await eventsOf(messageId)).toEqual(['delivered']));
    await acknowledged();
  });

  it('a message that was not sent here is not lost, also when it is asked for while the store cannot be read', async () => {
    const friend = world.somebody();
    const stranger = '3EB0DDDDDDDDDDDDDDDDDD';
    const unreadable = makeUnreadable(world.gateway.app.store, 'sent_messages');
    await friend.askFor(me, stranger);
    await waitFor(() => expect(unreadable.failures).toBeGreaterThan(0));
    unreadable.end();
    await waitFor(() => expect(world.logged()).toContain(`message ${stranger} was asked for again and is lost`));
    // Events are stored in their order.
    const messageId = await sent(friend);
    await waitFor(async () => expect(await eventsOf(messageId)).toEqual(['delivered']));
    expect(await eventsOf(stranger)).toEqual([]);
  });

  it('a message that is asked for when it is not kept any more is lost', async () => {
    const friend = world.somebody();
    friend.is({ away: true });
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    const messageId = await sent(friend);
    const stranger = '3EB0EEEEEEEEEEEEEEEEEE';
    await world.gateway.restart({ whileDown: ({ db }) => db.deleteFrom('sent_messages').execute() });
    await world.customer.reaches(id, 'open');
    friend.is({ away: false });
    await friend.askFor(me, stranger);
    await waitFor(async () => expect(await eventsOf(messageId)).toEqual(['lost']));
    await acknowledged();
    expect(await eventsOf(stranger)).toEqual([]);
    expect(world.server.record.problems).toEqual([]);
  });
});
