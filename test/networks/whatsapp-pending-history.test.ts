import { Readable } from 'node:stream';
import { deflateSync, inflateSync } from 'node:zlib';
import { proto, type SignalKeyStore } from 'baileys';
import { beforeEach, expect, test } from 'vitest';
import {
  notificationIn,
  notificationOf,
  pendingPieces,
  settle,
  storePiece,
} from '../../src/networks/whatsapp/worker/sending/history-sync/pending.ts';
import { readHistory } from '../../src/networks/whatsapp/worker/sending/history-sync/read-history.ts';

type Notification = proto.Message.IHistorySyncNotification;

const { INITIAL_BOOTSTRAP, FULL } = proto.Message.HistorySyncType;
let records: Record<string, unknown>;
let keys: SignalKeyStore;
beforeEach(() => {
  records = {};
  keys = {
    get: async (type, ids) => (ids.includes('all') && records[type] ? ({ all: records[type] } as never) : {}),
    set: async (data) => {
      for (const [type, { all }] of Object.entries(data as Record<string, { all: unknown }>)) records[type] = all;
    },
  };
});

function piece(path: string, more: Notification = {}): Notification {
  return { syncType: INITIAL_BOOTSTRAP, directPath: path, mediaKey: Buffer.alloc(32, 1), ...more };
}

function message(historySyncNotification: Notification): proto.IMessage {
  return { protocolMessage: { type: proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification } };
}

const keep = (content: proto.IMessage) => storePiece(content, keys);
const paths = async () => (await pendingPieces(keys)).map((waiting) => notificationOf(waiting).directPath);

test('pieces wait in their order, each once', async () => {
  await keep(message(piece('/one')));
  await keep(message(piece('/two')));
  await keep(message(piece('/one')));
  expect(await paths()).toEqual(['/one', '/two']);
});

test('other messages, and other kinds of history leave nothing', async () => {
  await keep({ conversation: 'Hello' });
  await keep(message(piece('/full', { syncType: FULL })));
  expect(records).toEqual({});
});

test('a piece inside its notification waits without what people wrote, and is known again when it was read', async () => {
  const salt = Buffer.concat([Buffer.from([((19 * 8 + 2) % 128) + 128, 1, 32]), Buffer.alloc(32, 7)]);
  const history = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: [{ id: '15550100@s.whatsapp.net', messages: [{ message: { message: { conversation: 'a secret' } } }] }],
    statusV3Messages: [{ key: { id: '1' }, message: { conversation: 'another secret' } }],
  });
  const notification: Notification = {
    syncType: INITIAL_BOOTSTRAP,
    initialHistBootstrapInlinePayload: deflateSync(Buffer.concat([history.finish(), salt])),
  };
  await keep(message(notification));
  const [waiting] = await pendingPieces(keys);
  const payload = waiting === undefined ? null : notificationOf(waiting).initialHistBootstrapInlinePayload;
  const kept = inflateSync(payload ?? Buffer.alloc(0));
  expect(kept.includes('secret')).toBe(false);
  const facts = await readHistory(Readable.from([kept]), () => false);
  expect(facts.salt).toEqual(Buffer.alloc(32, 7));
  expect(proto.HistorySync.decode(Buffer.concat([Buffer.from([8, 0]), kept])).conversations.map(({ id }) => id)).toEqual([
    '15550100@s.whatsapp.net',
  ]);
  await settle(keys, notificationIn(message(notification)) ?? {}, 'read');
  expect(records).toEqual({ 'waiting-history': null });
});

test('a piece that was read is gone, and the record with the last one', async () => {
  await keep(message(piece('/one')));
  await keep(message(piece('/two')));
  expect(await settle(keys, notificationIn(message(piece('/one'))) ?? {}, 'read')).toBe(false);
  expect(await paths()).toEqual(['/two']);
  await settle(keys, piece('/two'), 'read');
  expect(records).toEqual({ 'waiting-history': null });
  expect(await settle(keys, piece('/two'), 'failed')).toBe(false);
});

test('a piece that cannot be read is given up the fifth time', async () => {
  await keep(message(piece('/one')));
  for (let time = 1; time < 5; time++) expect(await settle(keys, piece('/one'), 'failed')).toBe(true);
  expect(await settle(keys, piece('/one'), 'failed')).toBe(false);
  expect(await paths()).toEqual([]);
});

test('number and size of the pieces are bounded', async () => {
  for (let number = 0; number < 70; number++) await keep(message(piece(`/${number}`)));
  expect(await paths()).toHaveLength(64);
  records = {};
  await keep(message(piece(`/${'x'.repeat(2 * 1024 * 1024)}`)));
  expect(await paths()).toEqual([]);
});
