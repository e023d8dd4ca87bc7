import type { KeyPair } from 'baileys';
import { describe, expect, test, vi } from 'vitest';
import { packRecords, unpackRecords } from '../../src/networks/whatsapp/thread-messages.ts';
import { ExpiringCache } from '../../src/networks/whatsapp/worker/library/bounded-cache.ts';
import { decodeRecord, encodeRecord } from '../../src/networks/whatsapp/worker/library/record-encoding.ts';
import { createSignalKeys, isUsedOften, trimSignalRecord } from '../../src/networks/whatsapp/worker/library/signal-keys.ts';
import { KnownNames } from '../../src/networks/whatsapp/worker/lifecycle/known-names.ts';
import { LinkRecords, type RecordStore } from '../../src/networks/whatsapp/worker/lifecycle/link-records.ts';
import { RecordCache } from '../../src/networks/whatsapp/worker/lifecycle/record-cache.ts';
import { SentMessages } from '../../src/networks/whatsapp/worker/sending/receipts/sent-messages.ts';
import { waitFor } from '../support/wait-for.ts';

/** A store in memory that counts, and whose writes can be made to wait or fail. */
class TestStore implements RecordStore {
  readonly records = new Map<string, Uint8Array>();
  readonly writes: (readonly string[])[] = [];
  reads = 0;
  failures = 0;
  unreadable = false;
  gate: Promise<void> = Promise.resolve();

  async names(after: string): Promise<string[]> {
    return [...this.records.keys()]
      .sort()
      .filter((name) => name > after)
      .slice(0, 2);
  }

  async read(names: readonly string[]): Promise<Map<string, Uint8Array>> {
    this.reads++;
    await Promise.resolve();
    if (this.unreadable) throw new Error('the store is away');
    return new Map([...this.records].filter(([name]) => names.includes(name)));
  }

  async write(records: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    await this.gate;
    if (this.failures-- > 0) throw new Error('the store is away');
    this.writes.push([...records.keys()]);
    for (const [name, record] of records) {
      if (record === null) this.records.delete(name);
      else this.records.set(name, record);
    }
  }
}

function setup({ cached = true } = {}) {
  const store = new TestStore();
  const cache = new RecordCache(100, () => cached).ofLink(1);
  const onFailure = vi.fn();
  const records = new LinkRecords({ store, cache, onFailure });
  return { store, records, onFailure, keys: createSignalKeys(records) };
}

const pair = (seed: number): KeyPair => ({ public: Buffer.alloc(32, seed), private: Buffer.alloc(32, seed + 100) });
const session = { version: 'v1', _sessions: {} };

describe('the records of a link', () => {
  test('one turn is one write, and what comes during a write is the next', async () => {
    const { store, keys } = setup();
    const gate = Promise.withResolvers<void>();
    store.gate = gate.promise;
    const first = [keys.set({ 'lid-mapping': { a: '1' } }), keys.set({ 'lid-mapping': { b: '2' } })];
    await Promise.resolve();
    await Promise.resolve();
    const second = [keys.set({ 'lid-mapping': { c: '3' } }), keys.set({ 'lid-mapping': { a: '4' } })];
    gate.resolve();
    await Promise.all([...first, ...second]);
    expect(store.writes).toEqual([
      ['lid-mapping:a', 'lid-mapping:b'],
      ['lid-mapping:c', 'lid-mapping:a'],
    ]);
  });

  test('reads see what is still being written', async () => {
    const { store, keys } = setup({ cached: false });
    const gate = Promise.withResolvers<void>();
    store.gate = gate.promise;
    const written = keys.set({ session: { x: session as unknown as Uint8Array } });
    expect(await keys.get('session', ['x'])).toEqual({ x: session });
    await Promise.resolve();
    expect(await keys.get('session', ['x'])).toEqual({ x: session });
    gate.resolve();
    await written;
    expect(await keys.get('session', ['x'])).toEqual({ x: session });
    expect(store.reads).toBe(1);
  });

  test('an absent record is asked for once', async () => {
    const { store, keys } = setup();
    expect(await keys.get('tctoken', ['x'])).toEqual({});
    expect(await keys.get('tctoken', ['x'])).toEqual({});
    expect(store.reads).toBe(1);
  });

  test('one that is known to be absent is not asked for, and one that was stored since the names were learned is', async () => {
    const { store, records, keys } = setup({ cached: false });
    for (const name of ['a', 'b', 'c']) store.records.set(`lid-mapping:${name}`, encodeRecord('json', name));
    records.learnNames();
    await keys.set({ 'lid-mapping': { d: 'd' } });
    await waitFor(async () => {
      const { reads } = store;
      expect(await keys.get('lid-mapping', ['x', 'y'])).toEqual({});
      expect(store.reads).toBe(reads);
    });
    expect(await keys.get('lid-mapping', ['a', 'b', 'c', 'd', 'x'])).toEqual({ a: 'a', b: 'b', c: 'c', d: 'd' });
  });

  test('what is read ahead is one read for all, each is used once, and never after it was changed', async () => {
    const { store, records, keys } = setup({ cached: false });
    const mapped = (values: Record<string, string>) => {
      for (const [id, value] of Object.entries(values)) store.records.set(`lid-mapping:${id}`, encodeRecord('json', value));
    };
    mapped({ a: '1', b: '2', c: '3' });
    records.readAhead(['a', 'b', 'c', 'absent'].map((id) => `lid-mapping:${id}`));
    expect(await keys.get('lid-mapping', ['a'])).toEqual({ a: '1' });
    await keys.set({ 'lid-mapping': { b: '4' } });
    expect(await keys.get('lid-mapping', ['c', 'absent'])).toEqual({ c: '3' });
    expect(store.reads).toBe(1);
    mapped({ a: '5' });
    expect(await keys.get('lid-mapping', ['a', 'b'])).toEqual({ a: '5', b: '4' });
    expect(store.reads).toBe(2);
  });

  test('what could not be read ahead is read when it is asked for', async () => {
    const { store, records, keys } = setup();
    store.records.set('lid-mapping:a', encodeRecord('json', '1'));
    store.unreadable = true;
    records.readAhead(['lid-mapping:a']);
    await expect(keys.get('lid-mapping', ['a'])).rejects.toThrow('could not be read');
    store.unreadable = false;
    expect(await keys.get('lid-mapping', ['a'])).toEqual({ a: '1' });
  });

  test('the account’s own record is written when it differs from the stored one, and only then', async () => {
    const { store, records } = setup();
    const made = { me: { id: '491:2@s.whatsapp.net', lid: '99:2@lid' }, noiseKey: pair(1), nextPreKeyId: 813, routingInfo: undefined };
    store.records.set('creds', encodeRecord('structured', made));
    const creds = (await records.read(['creds'])).get('creds') as typeof made;
    await records.write([['creds', Object.assign(creds, { me: { ...creds.me, lid: '99:2@lid' } })]]);
    expect(store.writes).toEqual([]);
    await records.write([['creds', Object.assign(creds, { nextPreKeyId: 844 })]]);
    await records.write([['creds', creds]]);
    expect(store.writes).toEqual([['creds']]);
    await records.write(Object.entries({ creds, 'lid-mapping:a': '1' }));
    await records.write(Object.entries({ creds: Object.assign(creds, { nextPreKeyId: 813 }), 'lid-mapping:b': '2' }));
    expect(store.writes.slice(1)).toEqual([['lid-mapping:a'], ['creds', 'lid-mapping:b']]);
    expect(decodeRecord(store.records.get('creds') ?? Buffer.of())).toEqual(made);
  });

  test('what nothing waits for is stored with the next write, before what follows it, or alone a little later', async () => {
    vi.useFakeTimers();
    try {
      const { store, records, keys } = setup();
      const written = vi.fn();
      records.writeSoon([['lid-mapping:a', '1']]).then(written);
      expect(await keys.get('lid-mapping', ['a'])).toEqual({ a: '1' });
      await keys.set({ session: { x: session as unknown as Uint8Array } });
      expect(written).toHaveBeenCalledTimes(1);
      records.writeSoon([['lid-mapping:b', '2']]).then(written);
      await vi.advanceTimersByTimeAsync(199);
      expect(store.writes).toEqual([['lid-mapping:a', 'session:x']]);
      await vi.advanceTimersByTimeAsync(1);
      expect(store.writes).toEqual([['lid-mapping:a', 'session:x'], ['lid-mapping:b']]);
      expect(written).toHaveBeenCalledTimes(2);
      const last = records.writeSoon([['lid-mapping:c', '3']]);
      await records.drained();
      expect(store.writes.at(-1)).toEqual(['lid-mapping:c']);
      records.close();
      await last;
      await expect(records.writeSoon([['lid-mapping:d', '4']])).rejects.toThrow('no longer written');
    } finally {
      vi.useRealTimers();
    }
  });

  test('what can wait is not written behind a write under way, and is not stored once the link has ended', async () => {
    const { store, records, keys } = setup();
    const gate = Promise.withResolvers<void>();
    store.gate = gate.promise;
    const first = keys.set({ 'lid-mapping': { a: '1' } });
    await Promise.resolve();
    await Promise.resolve();
    const waiting = records.writeSoon([['lid-mapping:b', '2']]);
    gate.resolve();
    await first;
    expect(store.writes).toEqual([['lid-mapping:a']]);
    records.close();
    await expect(waiting).rejects.toThrow('no longer written');
    expect(store.writes).toHaveLength(1);
  });

  test('a short failure of the store is mended without a word', async () => {
    const { store, keys, onFailure } = setup();
    store.failures = 1;
    await keys.set({ 'lid-mapping': { a: '1' } });
    expect(store.records.size).toBe(1);
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('a lasting one is reported once, and nothing is written afterwards', async () => {
    const { store, keys, onFailure } = setup();
    store.failures = 100;
    await expect(keys.set({ 'lid-mapping': { a: '1' } })).rejects.toThrow('the store is away');
    store.failures = 0;
    await expect(keys.set({ 'lid-mapping': { b: '1' } })).rejects.toThrow('no longer written');
    expect(onFailure).toHaveBeenCalledTimes(1);
    expect(store.records.size).toBe(0);
  });

  test('held records reach the store together when they are released, or never', async () => {
    const { store, records, keys } = setup();
    records.hold();
    await keys.set({ 'lid-mapping': { a: '1' } });
    expect(await keys.get('lid-mapping', ['a', 'b'])).toEqual({ a: '1' });
    expect(store.reads).toBe(0);
    expect(store.writes).toEqual([]);
    await records.release();
    expect(store.writes).toEqual([['lid-mapping:a']]);
  });
});

test('names that were added may exist, and of a hundred others nearly none', () => {
  const names = new KnownNames();
  const numbered = (from: number) => Array.from({ length: 5_000 }, (_, place) => `session:${from + place}_1.0`);
  for (const name of numbered(4_915_110_000)) names.add(name);
  expect(numbered(4_915_110_000).every((name) => names.mayExist(name))).toBe(true);
  expect(numbered(4_915_120_000).filter((name) => names.mayExist(name)).length).toBeLessThan(150);
  expect(new KnownNames().mayExist('creds')).toBe(false);
});

describe('one-time keys', () => {
  test('are written in few records and read back one by one', async () => {
    const { store, keys } = setup();
    const made = Object.fromEntries(Array.from({ length: 812 }, (_, index) => [String(index + 1), pair(index % 100)]));
    await keys.set({ 'pre-key': made });
    expect(store.records.size).toBe(26);
    const fresh = createSignalKeys(new LinkRecords({ store, cache: new RecordCache(10).ofLink(2), onFailure: () => undefined }));
    expect(await fresh.get('pre-key', ['1', '31', '32', '812', '813'])).toEqual({ 1: made[1], 31: made[31], 32: made[32], 812: made[812] });
  });

  test('used ones are gone, several at once, and an empty block is deleted', async () => {
    const { store, keys } = setup();
    await keys.set({ 'pre-key': { 32: pair(1), 33: pair(2), 34: pair(3), 70: pair(4) } });
    await Promise.all(['32', '34', '70'].map((id) => keys.set({ 'pre-key': { [id]: null } })));
    expect(await keys.get('pre-key', ['32', '33', '34', '70'])).toEqual({ 33: pair(2) });
    expect([...store.records.keys()]).toEqual(['pre-key:1']);
  });
});

describe('what is not kept', () => {
  test('keys of groups, lists of devices, and the list of all recipients', async () => {
    const { store, keys } = setup();
    await keys.set({
      'sender-key': { g: Buffer.alloc(3) },
      'device-list': { x: ['1'] },
      tctoken: { __index: { token: Buffer.alloc(1) }, x: { token: Buffer.alloc(2) } },
    });
    expect([...store.records.keys()]).toEqual(['tctoken:x']);
    expect(await keys.get('sender-key', ['g'])).toEqual({});
    expect(await keys.get('device-list', ['x'])).toEqual({});
    expect(store.reads).toBe(0);
  });

  test('sessions replaced long ago and chains long past', () => {
    const chains = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`chain${index}`, { chainType: 2, chainKey: {}, messageKeys: {} }]));
    const entry = (closed: number, count: number) => ({
      indexInfo: { closed },
      currentRatchet: { lastRemoteEphemeralKey: 'chain0' },
      _chains: { sending: { chainType: 1, chainKey: {}, messageKeys: {} }, ...chains(count) },
    });
    const record = {
      version: 'v1',
      _sessions: { open: entry(-1, 20), ...Object.fromEntries([5, 3, 9, 1, 7, 8].map((at) => [`c${at}`, entry(at, 1)])) },
    };
    const trimmed = trimSignalRecord(record) as typeof record;
    expect(Object.keys(trimmed._sessions).sort()).toEqual(['c5', 'c7', 'c8', 'c9', 'open']);
    expect(Object.keys(trimmed._sessions.open._chains)).toEqual([
      'sending',
      'chain0',
      'chain15',
      'chain16',
      'chain17',
      'chain18',
      'chain19',
    ]);
    expect(Object.keys(record._sessions)).toHaveLength(7);
  });
});

describe('the bytes of a record', () => {
  test.each([
    ['bytes', Buffer.from([1, 2, 3])],
    ['json', { a: ['x', 1] }],
    ['structured', { key: Buffer.from([9]), other: undefined, text: 'ü' }],
  ] as const)('%s', (format, value) => {
    expect(decodeRecord(encodeRecord(format, value))).toEqual(value);
  });

  test('of a later version are refused, not misread', () => {
    expect(() => decodeRecord(Buffer.from([77, 1, 2]))).toThrow('newer version');
  });

  test('travel between threads in one piece', () => {
    const records = new Map([
      ['a', Buffer.from('one')],
      ['b', null],
      ['c', Buffer.alloc(0)],
      ['d', Buffer.from('two')],
    ]);
    const packed = packRecords(records);
    expect(packed.bytes).toHaveLength(6);
    expect([...unpackRecords(structuredClone(packed))].map(([name, record]) => [name, record && Buffer.from(record)])).toEqual([
      ...records,
    ]);
  });
});

describe('what is remembered', () => {
  test('of records: those used last, each link its own', () => {
    const cache = new RecordCache(2);
    const one = cache.ofLink(1);
    const two = cache.ofLink(2);
    one.set('a', 'one');
    two.set('a', 'two');
    expect(one.get('a')).toBe('one');
    two.set('b', null);
    expect([one.get('a'), two.get('a'), two.get('b')]).toEqual(['one', undefined, null]);
    one.clear();
    expect(one.get('a')).toBeUndefined();
  });

  test('of records: no one-time keys, which are read from the store again', async () => {
    const store = new TestStore();
    const cache = new RecordCache(100, isUsedOften).ofLink(1);
    const records = new LinkRecords({ store, cache, onFailure: () => undefined });
    const keys = createSignalKeys(records);
    await keys.set({ 'pre-key': { 1: pair(1), 40: pair(2) }, 'lid-mapping': { a: '1' } });
    expect([cache.get('pre-key:0'), cache.get('pre-key:1'), cache.get('lid-mapping:a')]).toEqual([undefined, undefined, '1']);
    expect(await keys.get('pre-key', ['1', '40'])).toEqual({ 1: pair(1), 40: pair(2) });
    // One after the other, of one block: the second must see what the first has left.
    await Promise.all([keys.set({ 'pre-key': { 1: null } }), keys.set({ 'pre-key': { 2: pair(3) } })]);
    expect(await keys.get('pre-key', ['1', '2', '40'])).toEqual({ 2: pair(3), 40: pair(2) });
  });

  test('of the library: for its time, each owner its own', () => {
    vi.useFakeTimers();
    try {
      // The library takes a clock at 0 for none.
      vi.advanceTimersByTime(1);
      const cache = new ExpiringCache({ limit: 2, lifetimeMs: 1_000 });
      const one = cache.part('1');
      void one.set('a', 1);
      void cache.part('2').set('a', 2);
      expect([one.get('a'), cache.part('2').get('a')]).toEqual([1, 2]);
      void one.set('b', 3);
      expect(one.get('a')).toBeUndefined();
      // Lifetimes are kept to the second.
      vi.advanceTimersByTime(2_001);
      expect(one.get('b')).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test('of sent messages: as many as fit', () => {
    const sent = new SentMessages(3_000);
    const text = (of: string) => ({ message: Buffer.alloc(500, of), users: [of], devices: [0] });
    for (const id of ['a', 'b', 'c']) sent.remember('instance', id, text(id));
    expect(sent.find('instance', 'a')).toBeUndefined();
    expect(sent.find('instance', 'c')).toEqual(text('c'));
    expect(sent.find('other', 'c')).toBeUndefined();
  });

  test('of sent messages: nothing of an instance that is forgotten', () => {
    const sent = new SentMessages(10_000);
    const remembered = { message: Buffer.alloc(500), users: ['a'], devices: [0] };
    for (const id of ['a', 'b']) for (const instance of ['instance', 'other']) sent.remember(instance, id, remembered);
    sent.forgetAll('instance');
    expect([sent.find('instance', 'a'), sent.find('instance', 'b')]).toEqual([undefined, undefined]);
    expect([sent.find('other', 'a'), sent.find('other', 'b')]).toEqual([remembered, remembered]);
  });
});
