import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person, ReceivedMessage } from 'whatsapp-test-server';
import { refuseRecords } from '../support/refused-writes.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const week = 604_800;
const day = 86_400;

describe('chats with disappearing messages, over HTTP', () => {
  let world: WhatsAppWorld;
  let id: string;
  let me: Person;
  const setAt = Math.floor(Date.now() / 1000) - 1_000;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    me = world.somebody();
    id = await world.linkedNumber(me.number);
  });
  afterAll(() => world?.close());

  async function received(friend: Person, kind = 'text', body: Record<string, unknown> = { text: 'Hello' }): Promise<ReceivedMessage> {
    const answer = await world.customer.send(kind, { instance_id: id, to: friend.number, ...body });
    expect(answer.body).toMatchObject({ success: true });
    return friend.nextReceived((message) => message.id === answer.body.data.message_id);
  }
  const timerSentTo = async (friend: Person) => (await received(friend)).timer;
  /** Resolves when the gateway has acknowledged, and therefore stored, all that it received. */
  const taken = () => world.server.record.until(() => me.unacknowledged === 0);

  it('a chat of which nothing is known has no timer [disappearing.timer]', async () => {
    expect(await timerSentTo(world.somebody())).toBeNull();
  });

  it('what a contact sets is carried by every kind that can, over a restart too, until it is switched off [disappearing.timer]', async () => {
    const friend = world.somebody();
    await friend.setTimer(me.number, week, setAt);
    await taken();
    const expected = { expiration: week, setAt };
    expect(await timerSentTo(friend)).toEqual(expected);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    const reply = await received(friend, 'text', { text: 'Yes', quoted_message_id: '3EB0AAAAAAAA' });
    expect(reply.message.extendedTextMessage?.contextInfo).toMatchObject({ stanzaId: '3EB0AAAAAAAA', expiration: week });
    const others: [string, Record<string, unknown>][] = [
      ['location', { latitude: 1, longitude: 2 }],
      ['contact', { contacts: [{ full_name: 'Ada', phone_number: '4915120000001' }] }],
      ['poll', { question: 'Which?', options: ['a', 'b'] }],
      ['buttons', { title: 'Choose', buttons: [{ type: 'reply', id: '1', text: 'One' }] }],
    ];
    for (const [kind, body] of others) expect([kind, (await received(friend, kind, body)).timer]).toEqual([kind, expected]);
    const reaction = await received(friend, 'reaction', { message_id: reply.id, emoji: '👍', from_me: true });
    expect(reaction.timer).toBeNull();
    await friend.setTimer(me.number, 0, setAt + 1);
    await taken();
    expect(await timerSentTo(friend)).toBeNull();
  });

  it('what a contact without a LID sets while the network does not answer who it is [disappearing.timer]', async () => {
    const friend = world.somebody();
    friend.is({ hasLid: false });
    world.server.faults.onUsync({ times: 1 }, { kind: 'error' });
    await friend.setTimer(me.number, week, setAt);
    await taken();
    expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt });
  });

  it('what the own phone sets, or follows in what it sends [disappearing.timer]', async () => {
    const [set, followed] = [world.somebody(), world.somebody()];
    await me.setTimer(set.number, day, setAt);
    const contextInfo = { expiration: week, ephemeralSettingTimestamp: setAt };
    await me.sendMessage(followed.number, { extendedTextMessage: { text: 'Hello', contextInfo } });
    await taken();
    expect(await timerSentTo(set)).toEqual({ expiration: day, setAt });
    expect(await timerSentTo(followed)).toEqual({ expiration: week, setAt });
  });

  it('what a contact follows in what it sends, and of two the one that was set later [disappearing.timer]', async () => {
    const friend = world.somebody();
    const says = async (expiration: number, at: number) => {
      const contextInfo = { expiration, ephemeralSettingTimestamp: at };
      await friend.sendMessage(me.number, { imageMessage: { caption: 'Look', contextInfo } });
      await taken();
    };
    await says(week, setAt);
    expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt });
    await says(day, setAt - 500);
    expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt });
    // A program that knows nothing of timers.
    await friend.send(me.number, 'Hello');
    await taken();
    expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt });
    await says(day, setAt + 500);
    expect(await timerSentTo(friend)).toEqual({ expiration: day, setAt: setAt + 500 });
  });

  // As when a phone could not be read at first, and has sent again.
  it('a timer that was switched off stays off when the message that had set it comes later [disappearing.timer]', async () => {
    for (const late of ['contact', 'own phone']) {
      const friend = world.somebody();
      await me.setTimer(friend.number, 0, setAt + 1);
      await taken();
      await (late === 'contact' ? friend.setTimer(me.number, week, setAt) : me.setTimer(friend.number, week, setAt));
      await taken();
      expect([late, await timerSentTo(friend)]).toEqual([late, null]);
      await friend.setTimer(me.number, day, setAt + 2);
      await taken();
      expect([late, await timerSentTo(friend)]).toEqual([late, { expiration: day, setAt: setAt + 2 }]);
    }
  });

  // As after a restore: the contact's phone goes on with a session that the gateway no longer has.
  it('a message that cannot be decrypted is asked for again at once, and the own phone is not asked for it [disappearing.timer]', async () => {
    const friend = world.somebody();
    await friend.setTimer(me.number, day, setAt);
    await taken();
    expect(await timerSentTo(friend)).toEqual({ expiration: day, setAt });
    await friend.send(me.number, 'Read, so that the session is no longer new');
    await taken();
    await world.gateway.restart({
      whileDown: ({ db }) => db.deleteFrom('credentials').where('instance_id', '=', id).where('name', 'like', 'session:%').execute(),
    });
    await world.customer.reaches(id, 'open');
    world.server.faults.forgeKeys(me.number, [0]);
    const message = await friend.setTimer(me.number, week, setAt + 1);
    await world.server.record.until(() =>
      world.server.record.receipts.some((receipt) => receipt.id === message && receipt.type === 'retry'),
    );
    world.server.faults.forgeKeys(me.number, []);
    await taken();
    await waitFor(async () => expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt: setAt + 1 }));
    expect(world.server.record.envelopes.filter(({ attrs }) => attrs.category === 'peer')).toEqual([]);
  });

  it('a setting without a time was set when it was sent [disappearing.timer]', async () => {
    const friend = world.somebody();
    await friend.sendMessage(me.number, { protocolMessage: { type: 3, ephemeralExpiration: day } });
    await taken();
    const timer = await timerSentTo(friend);
    expect(timer?.expiration).toBe(day);
    expect(Math.abs((timer?.setAt ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('what the phone hands over in its history, inline or as a file [disappearing.timer]', async () => {
    for (const as of ['inline', 'blob'] as const) {
      const friend = world.somebody();
      const conversation = { number: friend.number, lid: friend.lid, timer: { expiration: week, setAt } };
      await me.handHistory({ conversations: [conversation] }, as);
      await waitFor(async () => expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt }));
    }
  });

  it('somebody without a LID, and the same one when a LID is known [disappearing.timer]', async () => {
    const friend = world.somebody();
    friend.is({ hasLid: false });
    await friend.setTimer(me.number, week, setAt);
    await taken();
    expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt });
  });

  it('what a contact wants of new chats changes no chat that there is [disappearing.timer]', async () => {
    const friend = world.somebody();
    expect(await timerSentTo(friend)).toBeNull();
    friend.setDefaultTimer(day);
    await taken();
    expect(await timerSentTo(friend)).toBeNull();
  });

  it('is stored before it is acknowledged, and encrypted [disappearing.timer]', async () => {
    const friend = world.somebody();
    await friend.send(me.number, 'Hello');
    await taken();
    const end = await refuseRecords(world.gateway.app.store, 'chat-timers:%');
    await friend.setTimer(me.number, week, setAt);
    const tried = /"the credentials of a number could not be stored"/;
    await waitFor(() => expect(tried.test(world.logged())).toBe(true));
    await end();
    await world.customer.reaches(id, 'open');
    await waitFor(async () => expect(await timerSentTo(friend)).toEqual({ expiration: week, setAt }));
    const { db } = world.gateway.app.store;
    const rows = await db.selectFrom('credentials').selectAll().where('name', 'like', 'chat-timers:%').execute();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const record = Buffer.from(Object.values(row).find((value) => value instanceof Uint8Array) ?? []);
      expect(record.length).toBeGreaterThan(0);
      for (const secret of [friend.lid, String(week)]) expect(record.includes(secret)).toBe(false);
    }
  });

  it('nothing was refused as malformed, and no phone failed to decrypt', () => {
    expect(world.server.record.problems).toEqual([]);
  });
});
