import { EventEmitter } from 'node:events';
import type { WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { reachOutRefusal, reactionToRefusal, reasonOf } from '../../src/networks/whatsapp/refusals.ts';
import type { Wire } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';
import { type ChatRecords, KnownChats } from '../../src/networks/whatsapp/worker/sending/new-chats/known-chats.ts';
import { Tctokens } from '../../src/networks/whatsapp/worker/sending/tctoken.ts';

test.each([
  ['400', 'readdress', 'wrong_addressing'],
  ['404', 'refuse', 'no_such_recipient'],
  ['405', 'fail', 'kind_not_allowed'],
  ['473', 'fail', 'interactive_not_allowed'],
  ['408', 'retry', 'network_trouble'],
  ['421', 'fail', 'stale_group_addressing'],
  ['429', 'retry', 'network_trouble'],
  ['463', 'find_cause', 'wrong_addressing'],
  ['475', 'hold_new_chats', 'new_chats_capped'],
  ['479', 'renew_devices', 'stale_devices'],
  ['491', 'fail', 'malformed_message'],
  ['500', 'retry', 'network_trouble'],
  ['503', 'retry', 'network_trouble'],
  ['551', 'fail', 'code_551'],
])('code %s: %s, answered as %s', (code, reaction, reason) => {
  expect(reactionToRefusal(code).do).toBe(reaction);
  expect(reasonOf(code)).toBe(reason);
});

test('463 is a lock unless the network denies it; then it is the address where that is in doubt, and else the token', () => {
  expect(reachOutRefusal({ timelocked: true, numberInsteadOfLid: true })).toBe('reach_out_blocked');
  expect(reachOutRefusal({ timelocked: null, numberInsteadOfLid: true })).toBe('reach_out_blocked');
  expect(reachOutRefusal({ timelocked: false, numberInsteadOfLid: true })).toBe('wrong_addressing');
  expect(reachOutRefusal({ timelocked: false, numberInsteadOfLid: false })).toBe('missing_token');
});

function records() {
  const kept = new Map<string, unknown>();
  const store: ChatRecords = {
    read: async (names) => new Map(names.flatMap((name) => (kept.has(name) ? [[name, kept.get(name)] as const] : []))),
    async write(changes) {
      for (const [name, value] of changes) kept.set(name, value);
    },
    writeSoon: (changes) => store.write(changes),
  };
  return { kept, store };
}

/** Stored keys of a number: mappings of phone numbers to LIDs, and tokens that people gave it. */
function socketWith(keys: Record<string, Record<string, unknown>> = {}) {
  const ws = new EventEmitter();
  const get = async (type: string, ids: string[]) =>
    Object.fromEntries(ids.flatMap((id) => (keys[type]?.[id] === undefined ? [] : [[id, keys[type][id]]])));
  const set = async (changes: Record<string, Record<string, unknown>>) => {
    for (const [type, values] of Object.entries(changes)) {
      for (const [id, value] of Object.entries(values)) keys[type] = { ...keys[type], [id]: value ?? undefined };
    }
  };
  return { ws, ev: new EventEmitter(), authState: { keys: { get, set }, creds: {} } } as unknown as WASocket;
}

const log = { warn: () => undefined, error: () => undefined };

function chatsOf(sock: WASocket, store: ChatRecords) {
  const tctokens = new Tctokens({ sock, log } as unknown as Wire, { me: { lid: null, pn: null } });
  return { tctokens, chats: new KnownChats(sock, store, tctokens, log) };
}

test('chats are known by number and by LID, by what others write, by their tokens, and in a later process', async () => {
  const { store } = records();
  const keys = {
    'lid-mapping': { '4915110000001': '9001', '4915110000003': '9003' },
    tctoken: { '9003@lid': { token: Buffer.from('x') } },
  };
  const first = socketWith(keys);
  const { chats } = chatsOf(first, store);
  expect(await chats.has(['4915110000001'])).toBe(false);
  const message = { tag: 'message', attrs: { from: '9001:3@lid', id: 'A' } };
  await chats.received(message);
  expect(chats.received(message)).toBeNull();
  expect(
    chats.received({ tag: 'message', attrs: { from: '120363@g.us', participant: '4915110000002@s.whatsapp.net', id: 'B' } }),
  ).toBeNull();
  chats.add(['4915110000004']);
  const { chats: later } = chatsOf(socketWith(keys), store);
  await expect.poll(() => later.has(['4915110000004'])).toBe(true);
  expect(await later.has(['4915110000001'])).toBe(true);
  expect(await later.has(['4915110000002'])).toBe(false);
  expect(await later.has(['4915110000003'])).toBe(true);
  later.forget(['4915110000004']);
  await expect.poll(() => later.has(['4915110000004'])).toBe(false);
});

test('a chat that the network denies is forgotten although this number gave a token there, or holds one that has expired', async () => {
  const now = Math.floor(Date.now() / 1000);
  const keys = {
    'lid-mapping': { '4915110000001': '9001' },
    tctoken: {
      '9001@lid': { token: Buffer.alloc(0), senderTimestamp: now },
      '4915110000002@s.whatsapp.net': { token: Buffer.from('old'), timestamp: String(now - 5 * 604_800) },
      '9003@lid': { token: Buffer.from('valid'), timestamp: String(now) },
    },
  };
  const { chats } = chatsOf(socketWith(keys), records().store);
  const people = ['4915110000001', '4915110000002', '9003'];
  const known = () => Promise.all(people.map((person) => chats.has([person])));
  expect(await known()).toEqual([true, true, true]);
  for (const person of people) chats.forget([person]);
  await expect.poll(known).toEqual([false, false, true]);
});

test('a token that arrives while a spent one is dropped stays', async () => {
  const now = Math.floor(Date.now() / 1000);
  const keys: Record<string, Record<string, unknown>> = {
    tctoken: { '9001@lid': { token: Buffer.from('old'), timestamp: String(now - 5 * 604_800) } },
  };
  const sock = socketWith(keys);
  const [read, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { get } = sock.authState.keys;
  sock.authState.keys.get = async (type, ids) => {
    const found = await get(type, ids);
    if (type !== 'tctoken') return found;
    sock.authState.keys.get = get;
    read.resolve();
    await goesOn.promise;
    return found;
  };
  const turn = () => new Promise(setImmediate);
  const { chats, tctokens } = chatsOf(sock, records().store);
  chats.forget(['9001']);
  await read.promise;
  const stored = tctokens.store({ lid: '9001@lid', pn: null }, { token: Buffer.from('new'), timestamp: now });
  // Whatever does not wait for the one that is dropping is done now.
  await turn();
  goesOn.resolve();
  await stored;
  await turn();
  expect(keys.tctoken?.['9001@lid']).toMatchObject({ token: Buffer.from('new') });
});

test('what is remembered of chats is bounded, and the latest of them stay', async () => {
  const { kept, store } = records();
  const { chats } = chatsOf(socketWith(), store);
  const people = Array.from({ length: 30_000 }, (_, place) => `49151${String(place).padStart(8, '0')}`);
  for (const person of people) chats.add([person]);
  await expect.poll(() => chats.has([people.at(-1) ?? ''])).toBe(true);
  expect(kept.size).toBe(256);
  expect(Math.max(...[...kept.values()].map((list) => (Array.isArray(list) ? list.length : 0)))).toBe(64);
  expect(await chats.has([people[0] ?? ''])).toBe(false);
});
