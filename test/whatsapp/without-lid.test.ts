import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/refusal.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';

describe('a recipient without a LID, over HTTP', () => {
  let world: WhatsAppWorld;
  let id: string;
  beforeAll(async () => {
    world = await startWhatsAppWorld();
    world.server.person('4915114000001').is({ companions: 1 });
    id = await world.linkedNumber('4915114000001');
  });
  afterAll(() => world?.close());

  function withoutLid() {
    const friend = world.somebody();
    friend.is({ hasLid: false, companions: 1 });
    return friend;
  }

  it('is written to by phone number, with all devices and the own copies addressed by number too [recipient.without-lid]', async () => {
    const friend = withoutLid();
    const answer = await world.text(id, friend.number);
    expect(answer.body).toMatchObject({ success: true });
    const received = await friend.nextReceived((message) => message.id === answer.body.data.message_id);
    expect(received).toMatchObject({ times: 1 });
    const envelope = world.server.record.envelopes.find((one) => one.id === received.id);
    expect(envelope).toMatchObject({ to: `${friend.number}@s.whatsapp.net`, refusal: null });
    expect(envelope?.attrs).not.toHaveProperty('peer_recipient_lid');
    expect(envelope?.devices.every((device) => device.endsWith('@s.whatsapp.net'))).toBe(true);
    expect(envelope?.devices).toHaveLength(4);
    const again = await world.text(id, friend.number, 'Once more');
    await friend.nextReceived((message) => message.id === again.body.data.message_id);
  });

  it('gets a message again that it could not read, and is answered [recipient.without-lid]', async () => {
    const friend = withoutLid();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'undecryptable' });
    const answer = await world.text(id, friend.number);
    await friend.nextReceived((message) => message.id === answer.body.data.message_id);
    await friend.send('4915114000001', 'Thank you');
    const second = await world.text(id, friend.number);
    expect(await friend.nextReceived((message) => message.id === second.body.data.message_id)).toMatchObject({ times: 1 });
  });

  it('is 422 when WhatsApp takes no message to the number [recipient.without-lid]', async () => {
    const friend = withoutLid();
    world.server.faults.onMessage({ to: friend.number }, { kind: 'refuse', code: 400 });
    expect(await world.text(id, friend.number)).toMatchObject(refusal(422, 'invalid_recipient'));
  });

  it('is 422, with a LID too, when WhatsApp has no keys of any device [recipient.without-lid]', async () => {
    const [friend, other] = [withoutLid(), world.somebody()];
    friend.is({ hasKeys: false });
    other.is({ hasKeys: false });
    expect(await world.text(id, friend.number)).toMatchObject(refusal(422, 'invalid_recipient'));
    expect(await world.text(id, other.number)).toMatchObject(refusal(422, 'invalid_recipient'));
    friend.is({ hasKeys: true });
    expect(await world.text(id, friend.number)).toMatchObject({ status: 200 });
  });

  it('nothing was refused as malformed, and no phone failed to decrypt', () => {
    expect(world.server.record.problems.filter((problem) => !problem.includes('told not to understand'))).toEqual([]);
  });
});
