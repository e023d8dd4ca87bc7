import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { refusal } from '../support/refusal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

const bucketSeconds = 604_800;
const now = () => Math.floor(Date.now() / 1000);

describe('tokens for people who have not written, over HTTP', () => {
  let world: WhatsAppWorld;
  let numbers = 0;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
  });
  afterAll(() => world?.close());

  async function linked(salt?: Buffer | null) {
    const sender = world.server.person(String(4915112000000 + numbers++));
    if (salt !== undefined) sender.salt = salt;
    return { id: await world.linkedNumber(sender.number), sender };
  }

  /** Sends a text that must arrive; the children of its stanzas, refused ones included. */
  async function sendTo(instanceId: string, friend: Person) {
    const answer = await world.text(instanceId, friend.number);
    expect(answer.body).toMatchObject({ success: true });
    const { message_id: id } = answer.body.data;
    expect(await friend.nextReceived((message) => message.id === id)).toMatchObject({ times: 1 });
    return world.server.record.envelopes
      .filter((envelope) => envelope.id === id)
      .map(({ children, refusal: code }) => ({ children, code }));
  }

  const with_ = (token: string) => [{ children: expect.arrayContaining([token]), code: null }];

  /** Resolves when the gateway sends this token; until then it may still be on its way to it. */
  async function sends(token: string, instanceId: string, friend: Person) {
    await waitFor(async () => expect(await sendTo(instanceId, friend)).toEqual(with_(token)));
  }

  it('a first message right after the link brings a token that the account has signed', async () => {
    const { id } = await linked();
    expect(await sendTo(id, world.somebody())).toEqual(with_('cstoken'));
  });

  it('the key is still there after a restart', async () => {
    const { id } = await linked();
    await sendTo(id, world.somebody());
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    expect(await sendTo(id, world.somebody())).toEqual(with_('cstoken'));
  });

  it('a message to somebody whose token the account has brings that one, sent in a notification or along with a message', async () => {
    const { id, sender } = await linked();
    const [notifying, writing] = [world.somebody(), world.somebody()];
    await notifying.giveToken(sender.number);
    await writing.giveToken(sender.number, { along: 'Hello' });
    for (const friend of [notifying, writing]) await sends('tctoken', id, friend);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    for (const friend of [notifying, writing]) expect(await sendTo(id, friend)).toEqual(with_('tctoken'));
  });

  it('of two tokens the later one counts, in whatever order they come', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    await friend.giveToken(sender.number, { at: now() });
    await sends('tctoken', id, friend);
    // Expired by now: it would be refused.
    await friend.giveToken(sender.number, { at: now() - 5 * bucketSeconds });
    const { id: other, sender: second } = await linked();
    await friend.giveToken(second.number);
    await sends('tctoken', other, friend);
    expect(await sendTo(id, friend)).toEqual(with_('tctoken'));
  });

  it('an expired token stays at home, and one that the account has signed goes instead', async () => {
    const { id, sender } = await linked();
    const [friend, later] = [world.somebody(), world.somebody()];
    await friend.giveToken(sender.number, { at: now() - 5 * bucketSeconds });
    await later.giveToken(sender.number);
    // Stanzas are dealt with in their order.
    await sends('tctoken', id, later);
    expect(await sendTo(id, friend)).toEqual(with_('cstoken'));
  });

  it('a token that is signed with another key than the account has now is refused, as if there were none', async () => {
    const { id, sender } = await linked();
    await sendTo(id, world.somebody());
    sender.salt = Buffer.alloc(32, 3);
    const { body } = await world.text(id, world.somebody().number);
    expect(body.error).toMatchObject({ code: 'invalid_recipient', details: { reason: 'missing_token' } });
    expect(world.server.record.withoutToken).toEqual([expect.objectContaining({ from: sender.number })]);
  });

  it('a message that is asked for again brings a token, too', async () => {
    const { id } = await linked();
    const friend = world.somebody();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    expect(await sendTo(id, friend)).toEqual([...with_('cstoken'), ...with_('cstoken')]);
  });

  it('the own token is given once to everybody who is written to, also over a restart', async () => {
    const { id, sender } = await linked();
    const friend = world.somebody();
    const issued = () => world.server.record.issuedTokens.filter(({ from }) => from === sender.number);
    await sendTo(id, friend);
    await world.server.record.until(() => issued().length === 1);
    expect(issued()).toEqual([{ from: sender.number, to: `${friend.number}@s.whatsapp.net` }]);
    await sendTo(id, friend);
    await world.gateway.restart();
    await world.customer.reaches(id, 'open');
    await sendTo(id, friend);
    const another = world.somebody();
    await sendTo(id, another);
    await world.server.record.until(() => issued().some(({ to }) => to.startsWith(another.number)));
    expect(issued()).toHaveLength(2);
  });

  it('history that is handed over as a file brings tokens and LIDs, and a new key replaces the old one', async () => {
    const { id, sender } = await linked();
    const [friend, stranger] = [world.somebody(), world.somebody()];
    await sendTo(id, world.somebody());
    const bytes = await friend.giveToken(sender.number, { told: false });
    sender.salt = Buffer.alloc(32, 7);
    const conversation = { number: friend.number, lid: friend.lid, token: { bytes, at: now() } };
    await sender.handHistory({ salt: sender.salt, conversations: [conversation] }, 'blob');
    await sends('tctoken', id, friend);
    expect(await sendTo(id, stranger)).toEqual(with_('cstoken'));
    const { receipts } = world.server.record;
    expect(receipts).toContainEqual(expect.objectContaining({ from: sender.number, type: 'hist_sync' }));
    const rows = await world.gateway.app.store.db.selectFrom('credentials').selectAll().where('instance_id', '=', id).execute();
    for (const row of rows) {
      const record = Buffer.from(Object.values(row).find((value) => value instanceof Uint8Array) ?? []);
      for (const secret of [bytes, sender.salt, Buffer.from('An old secret')]) expect(record.includes(secret)).toBe(false);
    }
    expect(world.logged()).not.toContain('An old secret');
  });

  it.each([
    ['the gateway is restarted', () => world.gateway.restart()],
    ['the connection is cut', (sender: Person) => world.server.faults.end(sender.number, { kind: 'drop' })],
  ])('history is read later when %s after it was acknowledged and before it was read', async (_, interrupt) => {
    const { id, sender } = await linked(null);
    sender.salt = Buffer.alloc(32, 9);
    const reading = world.server.faults.hangDownload();
    await sender.handHistory({ salt: sender.salt }, 'blob');
    const { record } = world.server;
    await record.until(
      () => sender.unacknowledged === 0 && record.receipts.some(({ from, type }) => from === sender.number && type === 'hist_sync'),
    );
    await reading;
    expect(await waitingHistory(id)).toHaveLength(1);
    const before = record.logins(sender.number);
    await interrupt(sender);
    await record.until(() => record.logins(sender.number) === before + 1);
    await world.customer.reaches(id, 'open');
    expect(await sendTo(id, world.somebody())).toEqual(with_('cstoken'));
    await waitFor(async () => expect(await waitingHistory(id)).toEqual([]));
  });

  /** The record of the history that the number still has to read, if there is one. */
  async function waitingHistory(id: string) {
    const { db } = world.gateway.app.store;
    return db.selectFrom('credentials').select('name').where('instance_id', '=', id).where('name', 'like', 'waiting-history%').execute();
  }

  it('without a key and a token a first message is refused, and answering works', async () => {
    const { id, sender } = await linked(null);
    const [stranger, friend] = [world.somebody(), world.somebody()];
    expect(await world.text(id, stranger.number)).toMatchObject(refusal(422, 'invalid_recipient'));
    await friend.send(sender.number, 'Hello');
    expect(await sendTo(id, friend)).toMatchObject([{ code: null }]);
  });

  it('nothing was refused as malformed, and no phone failed to decrypt', () => {
    const { problems } = world.server.record;
    expect(problems).toEqual([]);
  });
});
