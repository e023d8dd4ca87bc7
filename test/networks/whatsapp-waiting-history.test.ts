import { proto, type SignalKeyStore, writeRandomPadMax16 } from 'baileys';
import { beforeEach, expect, test } from 'vitest';
import {
  historyIn,
  keepHistory,
  notificationOf,
  settle,
  waitingPieces,
} from '../../src/networks/whatsapp/worker/sending/history/waiting-pieces.ts';

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

const keep = (content: proto.IMessage) => keepHistory(writeRandomPadMax16(proto.Message.encode(content).finish()), keys);
const paths = async () => (await waitingPieces(keys)).map((waiting) => notificationOf(waiting).directPath);

test('pieces wait in their order, each once, sent directly or as a copy for this device', async () => {
  await keep(message(piece('/one')));
  await keep({ deviceSentMessage: { message: message(piece('/two')) } });
  await keep(message(piece('/one')));
  expect(await paths()).toEqual(['/one', '/two']);
});

test('other messages, other kinds of history and malformed messages leave nothing', async () => {
  await keep({ conversation: 'Hello' });
  await keep(message(piece('/full', { syncType: FULL })));
  await keepHistory(Buffer.from([0xff, 0xff, 1]), keys);
  await keepHistory(Buffer.alloc(0), keys);
  expect(records).toEqual({});
});

test('a piece that was read is gone, and the record with the last one', async () => {
  await keep(message(piece('/one')));
  await keep(message(piece('/two')));
  expect(await settle(keys, historyIn(message(piece('/one'))) ?? {}, 'read')).toBe(false);
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
  await keep(message(piece('/large', { initialHistBootstrapInlinePayload: Buffer.alloc(2 * 1024 * 1024) })));
  expect(await paths()).toEqual([]);
});
