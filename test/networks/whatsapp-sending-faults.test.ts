import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import type { MediaFile, OutgoingMessage } from '../../src/networks/index.ts';
import { createMediaFiles } from './outgoing.ts';
import { createSendingRig, newId, type SendingRig, textTo } from './whatsapp-sending-rig.ts';

const me = '491701234567';
const other = '34600111222';
/** Short, but long enough for a busy machine. */
const limits = { handOverMs: 8_000, acknowledgementMs: 4_000, queryMs: 3_000, checkMs: 15_000 };
const always = Number.POSITIVE_INFINITY;

let server: WhatsAppServer;
let rig: SendingRig;
let files: Awaited<ReturnType<typeof createMediaFiles>>;
beforeEach(async () => {
  server = await startWhatsAppServer({ strictness: { refreshAtScan: false } });
  rig = await createSendingRig(server, me, limits);
  files = await createMediaFiles();
});
afterEach(async () => {
  await rig.close();
  await server.close();
  await files.remove();
});

const received = async (number: string) => (await server.person(number).received()).filter(({ to }) => to === number);
const picture = async (to: string, media?: MediaFile): Promise<OutgoingMessage> => ({
  ...textTo(to, ''),
  type: 'image',
  content: {},
  media: media ?? (await files.file('image')),
});

describe('a recipient who cannot be reached', () => {
  test('not on the network: refused', async () => {
    server.person(other).is({ onNetwork: false });
    expect(await rig.sending.send(textTo(other, 'nobody'))).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining('not on WhatsApp'),
    });
    expect(server.record.messages).toBe(0);
  });

  test('without a device: refused, and asked again the next time', async () => {
    server.person(other).is({ hasDevices: false });
    expect(await rig.sending.send(textTo(other, 'nobody'))).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining('no device'),
      details: { reason: 'no_device' },
    });
    expect(server.record.messages).toBe(0);
    server.person(other).is({ hasDevices: true });
    expect(await rig.sending.send(textTo(other, 'somebody'))).toMatchObject({ outcome: 'accepted' });
    expect(await received(other)).toHaveLength(1);
  });

  test.each([
    ['silence', 1],
    ['error', 1],
    // The second question is for the devices alone.
    ['device_error', 2],
  ] as const)('the network does not say (%s): nothing is sent, and the next send asks again', async (kind, times) => {
    server.faults.onUsync({ number: other, times }, { kind });
    expect(await rig.sending.send(textTo(other, 'lost'))).toEqual({ outcome: 'not_sent' });
    expect(server.record.messages).toBe(0);
    expect(await rig.sending.send(textTo(other, 'found'))).toMatchObject({ outcome: 'accepted' });
    expect((await received(other)).map(({ message }) => message.conversation)).toEqual(['found']);
  });

  test('the network does not say for one: messages to others are not held up', async () => {
    server.faults.onUsync({ number: other, times: always }, { kind: 'silence' });
    const order: string[] = [];
    const stuck = rig.sending.send(textTo(other, 'stuck')).then(({ outcome }) => order.push(outcome));
    const free = rig.sending.send(textTo('34600111333', 'free')).then(({ outcome }) => order.push(outcome));
    await Promise.all([stuck, free]);
    expect(order).toEqual(['accepted', 'not_sent']);
  });

  test('a number that answers on another one gets the message there', async () => {
    server.person('5511987654321').is({ answersAs: '551187654321' });
    expect(await rig.sending.send(textTo('5511987654321', 'olá'))).toMatchObject({ outcome: 'accepted' });
    expect((await received('551187654321')).map(({ message }) => message.conversation)).toEqual(['olá']);
  });
});

describe('a message the network refuses', () => {
  test('463 in a timelock: refused with the reason and the end, reported as a restriction, and over when the network lifts it', async () => {
    const until = Math.floor(Date.now() / 1000) + 3_600;
    server.faults.restrictReachOut(me, until);
    expect(await rig.sending.send(textTo(other, 'hello stranger'))).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining('start new chats'),
      details: { reason: 'reach_out_blocked', until: new Date(until * 1000).toISOString() },
    });
    expect(rig.restrictions).toEqual([{ reason: 'reach_out_blocked', until: until * 1000 }]);
    expect(await received(other)).toEqual([]);
    server.faults.restrictReachOut(me, null);
    await expect.poll(() => rig.restrictions.at(-1)).toBeNull();
    expect(await rig.sending.send(textTo(other, 'hello again'))).toMatchObject({ outcome: 'accepted' });
  });

  test('475 after a timelock whose end has passed: the cap is reported', async () => {
    const ended = Math.floor(Date.now() / 1000) - 60;
    const timelocked = Promise.withResolvers<void>();
    rig.sock.ev.on('connection.update', ({ reachoutTimeLock }) => {
      if (reachoutTimeLock?.isActive === true) timelocked.resolve();
    });
    server.faults.restrictReachOut(me, ended);
    await timelocked.promise;
    const cycleEndsAt = ended + 3_600;
    server.faults.capNewChats(me, { quota: 1, used: 1, cycleEndsAt }, false);
    expect(await rig.sending.send(textTo(other, 'hello stranger'))).toMatchObject({ details: { reason: 'new_chats_capped' } });
    expect(rig.restrictions.at(-1)).toEqual({ reason: 'new_chats_capped', until: cycleEndsAt * 1000 });
  });

  test('400 to somebody without a LID: refused with the reason', async () => {
    server.person(other).is({ hasLid: false });
    server.faults.onMessage({ to: other }, { kind: 'refuse', code: 400 });
    expect(await rig.sending.send(textTo(other, 'hello'))).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining('no LID'),
      details: { reason: 'no_lid' },
    });
    expect(await received(other)).toEqual([]);
  });

  test('devices or sessions that have changed (479): looked up anew, and sent once more under the same id', async () => {
    server.faults.onMessage({ to: other }, { kind: 'refuse', code: 479 });
    const message = textTo(other, 'twice');
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
    expect((await received(other)).map(({ id, times }) => ({ id, times }))).toEqual([{ id: message.messageId, times: 1 }]);
    server.faults.onMessage({ to: other, times: 2 }, { kind: 'refuse', code: 479 });
    expect(await rig.sending.send(textTo(other, 'in vain'))).toEqual({ outcome: 'rejected', code: '479', reason: 'stale_devices' });
  });

  test('any other code: rejected with it, nothing delivered, and the devices are looked up anew', async () => {
    server.faults.onMessage({ to: other }, { kind: 'refuse', code: 421 });
    const message = textTo(other, 'twice');
    expect(await rig.sending.send(message)).toEqual({ outcome: 'rejected', code: '421', reason: 'stale_group_addressing' });
    expect(await received(other)).toEqual([]);
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
    expect((await received(other)).map(({ id, times }) => ({ id, times }))).toEqual([{ id: message.messageId, times: 1 }]);
  });
});

describe('a message whose fate is unknown', () => {
  test('the acknowledgement is lost: the same id again is the same message', async () => {
    server.faults.onMessage({ to: other }, { kind: 'lose_ack' });
    const message = textTo(other, 'once');
    expect(await rig.sending.send(message)).toEqual({ outcome: 'unknown' });
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await received(other)).toHaveLength(1);
    expect(server.record.stanzas.map(({ id }) => id)).toEqual([message.messageId, message.messageId]);
  });

  test('the acknowledgement is slow: accepted when it comes', async () => {
    server.faults.onMessage({ to: other }, { kind: 'delay', ms: 300 });
    expect(await rig.sending.send(textTo(other, 'slow'))).toMatchObject({ outcome: 'accepted' });
  });

  test.each(['drop', 'drop_before'] as const)(
    'the connection is lost in the middle (%s): unknown at once, and the same id again arrives once',
    async (kind) => {
      server.faults.onMessage({ to: other }, { kind });
      const message = textTo(other, 'cut');
      expect(await rig.sending.send(message)).toEqual({ outcome: 'unknown' });
      expect(await rig.sending.send(textTo(other, 'on a dead connection'))).toEqual({ outcome: 'not_sent' });
      await rig.reconnect();
      expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
      expect(await received(other)).toHaveLength(1);
    },
  );

  test('the connection is lost while a recipient is being looked up: nothing was sent', async () => {
    server.faults.onUsync({ number: other }, { kind: 'drop' });
    expect(await rig.sending.send(textTo(other, 'early'))).toEqual({ outcome: 'not_sent' });
    expect(server.record.messages).toBe(0);
  });

  test('the network says nothing any more: unknown after the time for an acknowledgement', async () => {
    await rig.sending.send(textTo(other, 'first'));
    await server.faults.end(me, { kind: 'silence' });
    expect(await rig.sending.send(textTo(other, 'second'))).toEqual({ outcome: 'unknown' });
  });

  test('the same id to two people at once: each has its own acknowledgement', async () => {
    const id = newId();
    const third = '34600111333';
    server.faults.onMessage({ to: third }, { kind: 'refuse', code: 421 });
    const outcomes = await Promise.all([rig.sending.send(textTo(other, 'a', id)), rig.sending.send(textTo(third, 'b', id))]);
    expect(outcomes).toEqual([
      { outcome: 'accepted', providerStatus: 'SERVER_ACK' },
      { outcome: 'rejected', code: '421', reason: 'stale_group_addressing' },
    ]);
  });

  test('closing ends every wait at once', async () => {
    server.faults.onMessage({ to: other }, { kind: 'lose_ack' });
    server.faults.onUsync({ number: '34600111333', times: always }, { kind: 'silence' });
    server.faults.onUpload({ times: always }, { kind: 'hang' });
    const outcomes = [
      rig.sending.send(textTo(other, 'on the wire')),
      rig.sending.send(textTo('34600111333', 'not found yet')),
      rig.sending.send(await picture('34600111444')),
    ];
    await server.record.until(() => server.record.messages === 1);
    rig.sending.close();
    expect(await Promise.all(outcomes)).toEqual([{ outcome: 'unknown' }, { outcome: 'not_sent' }, { outcome: 'not_sent' }]);
    expect(await rig.sending.send(textTo(other, 'afterwards'))).toEqual({ outcome: 'not_sent' });
  });

  test('a lookup that runs out after the close ends no thread', async () => {
    await rig.close();
    rig = await createSendingRig(server, me, { ...limits, queryMs: 200 });
    server.faults.onUsync({ times: always }, { kind: 'silence' });
    rig.sending.close();
    expect(await rig.sending.send(textTo('34600111333', 'afterwards'))).toEqual({ outcome: 'not_sent' });
    // Runs out after the lookup of the message. An unhandled rejection fails the whole run.
    await rig.sending.check(['34600111444']).catch(() => undefined);
  });
});

describe('uploads', () => {
  test('the same file to twenty people is uploaded once, also when they are sent together, and another file is not [media.uploaded-once]', async () => {
    // As patient as a gateway: this is not about what comes late.
    await rig.close();
    rig = await createSendingRig(server, me, { handOverMs: 20_000, acknowledgementMs: 20_000, queryMs: 8_000, checkMs: 20_000 });
    const media = await files.file('image');
    const people = Array.from({ length: 20 }, (_, place) => `346001120${String(place).padStart(2, '0')}`);
    const outcomes = await Promise.all(people.map(async (to) => rig.sending.send(await picture(to, media))));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']));
    expect(server.record.uploads).toBe(1);
    await rig.reconnect();
    await rig.sending.send(await picture(other, media));
    expect(server.record.uploads).toBe(1);
    await rig.sending.send(await picture(other));
    expect(server.record.uploads).toBe(2);
  });

  test.each(['refuse', 'cut'] as const)('one that fails once (%s) is tried again', async (kind) => {
    server.faults.onUpload({ times: 1 }, { kind });
    const message = await picture(other);
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
    expect(await received(other)).toHaveLength(1);
  });

  test.each(['refuse', 'cut', 'hang'] as const)('one that fails (%s): nothing is sent, and the next send uploads anew', async (kind) => {
    server.faults.onUpload({ times: always }, { kind });
    const message = await picture(other);
    expect(await rig.sending.send(message)).toEqual({ outcome: 'not_sent' });
    expect(server.record.messages).toBe(0);
    if (kind === 'hang') return;
    server.faults.clear();
    expect(await rig.sending.send(message)).toMatchObject({ outcome: 'accepted' });
  });

  test('a number that is not on the network is refused without waiting for the upload', async () => {
    server.person(other).is({ onNetwork: false });
    server.faults.onUpload({ times: always }, { kind: 'hang' });
    expect(await rig.sending.send(await picture(other))).toMatchObject({ outcome: 'refused' });
  });

  test('a file that has another hash than its own is not sent', async () => {
    const media = await files.file('image');
    await writeFile(media.path, 'something else');
    expect(await rig.sending.send(await picture(other, media))).toEqual({ outcome: 'not_sent' });
    expect(server.record.uploads).toBe(0);
  });

  test('one that hangs does not hold up a text to somebody else, but keeps its place before a text to the same person', async () => {
    server.faults.onUpload({ times: always }, { kind: 'hang' });
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    await Promise.all([
      rig.sending.send(await picture(other)).then(note('picture')),
      rig.sending.send(textTo(other, 'behind it')).then(note('text behind it')),
      rig.sending.send(textTo('34600111333', 'elsewhere')).then(note('text elsewhere')),
    ]);
    expect(order[0]).toBe('text elsewhere');
    expect(server.record.stanzas.filter(({ to }) => to === other).length).toBeLessThanOrEqual(1);
  });
});

describe('checking numbers', () => {
  const unreachable = { reachable: false, networkNumber: null };
  const unknown = { reachable: null, networkNumber: null };
  const reachable = (number: string) => ({ reachable: true, networkNumber: number });

  test('one answer per number, in order, rewritten numbers with the one they answer on', async () => {
    server.person('34600110000').is({ onNetwork: false });
    server.person('5511987654321').is({ answersAs: '551187654321' });
    server.person('525512345678').is({ answersAs: '5215512345678' });
    const asked = [other, '34600110000', '5511987654321', '551187654321', '525512345678'];
    expect(await rig.sending.check(asked)).toEqual([
      reachable(other),
      unreachable,
      reachable('551187654321'),
      reachable('551187654321'),
      reachable('5215512345678'),
    ]);
  });

  test.each(['silence', 'error'] as const)('what the network cannot say (%s) is null, and nothing else', async (kind) => {
    const asked = Array.from({ length: 50 }, (_, place) => `346001130${String(place).padStart(2, '0')}`);
    const bad = asked[17] ?? '';
    server.faults.onUsync({ number: bad, times: always }, { kind });
    expect(await rig.sending.check(asked)).toEqual(asked.map((number) => (number === bad ? unknown : reachable(number))));
  });

  test('on a connection that is gone everything is null', async () => {
    await server.faults.end(me, { kind: 'drop' });
    await server.record.until(() => server.record.connected().length === 0);
    expect(await rig.sending.check([other, '34600111333'])).toEqual([unknown, unknown]);
  });

  test('a positive answer is used for the next send', async () => {
    expect(await rig.sending.check([other])).toEqual([reachable(other)]);
    expect(rig.memory.people.get(other)).toMatchObject({ pn: `${other}@s.whatsapp.net` });
    expect(await rig.sending.send(textTo(other, 'known'))).toMatchObject({ outcome: 'accepted' });
  });
});
