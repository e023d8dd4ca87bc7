import { EventEmitter } from 'node:events';
import type { BinaryNode } from 'baileys';
import { expect, test, vi } from 'vitest';
import { createSettings, Settings } from 'whatsapp-test-server';
import { AppStateSync } from '../../src/networks/whatsapp/worker/sending/app-state/app-state-sync.ts';
import { appStateKeys, type Mutation, mutationsIn, valueAfter } from '../../src/networks/whatsapp/worker/sending/app-state/mutations.ts';
import { nctSalt, ownName } from '../../src/networks/whatsapp/worker/sending/app-state/values.ts';
import type { Wire } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';

const salt = Buffer.alloc(32, 7);

async function changes() {
  const settings = new Settings();
  settings.changeSalt(salt);
  settings.changeSalt(null);
  const mutations = settings.patchesAfter(0).flatMap(mutationsIn);
  const { keyData } = (await settings.key(Buffer.from(mutations[0]?.keyId ?? []).toString('base64'))) ?? {};
  return { mutations, keys: appStateKeys(keyData ?? Buffer.alloc(0), nctSalt) };
}

test('of the app state only the nct salt is opened, set or removed', async () => {
  const { mutations, keys } = await changes();
  expect(mutations.map((mutation) => valueAfter(mutation, keys, nctSalt))).toEqual([undefined, salt, null]);
  const other = appStateKeys(Buffer.alloc(32), nctSalt);
  expect(mutations.map((mutation) => valueAfter(mutation, other, nctSalt))).toEqual([undefined, undefined, undefined]);
});

test.each<[string, (mutation: Mutation) => Mutation]>([
  [
    'whose value was changed',
    (mutation) => ({ ...mutation, value: mutation.value.map((byte, place) => (place === 20 ? byte ^ 1 : byte)) }),
  ],
  ['made a removal, or no longer one,', (mutation) => ({ ...mutation, isRemoval: !mutation.isRemoval })],
  ['without a value', (mutation) => ({ ...mutation, value: Buffer.alloc(8) })],
])('a change %s is refused', async (_, forge) => {
  const { mutations, keys } = await changes();
  for (const mutation of mutations.slice(1)) expect(() => valueAfter(forge(mutation), keys, nctSalt)).toThrow('not authentic');
});

test('the own name is opened among the values of its collection', async () => {
  const { critical_block: settings } = createSettings();
  settings.changeName('Ada');
  const mutations = settings.patchesAfter(0).flatMap(mutationsIn);
  const { keyData } = (await settings.key(Buffer.from(mutations[0]?.keyId ?? []).toString('base64'))) ?? {};
  const keys = appStateKeys(keyData ?? Buffer.alloc(0), ownName);
  expect(mutations.map((mutation) => valueAfter(mutation, keys, ownName))).toEqual([undefined, Buffer.from('Ada')]);
});

/** A number that has its name and a key to its app state, with connections one after another. */
function number() {
  const creds = { me: { id: '491510001:1@s.whatsapp.net', name: 'Ada' }, myAppStateKeyId: 'first' };
  const memory = { readAppState: new Set<string>() };
  const query = vi.fn<(node: BinaryNode) => Promise<BinaryNode>>();
  const errors: string[] = [];
  const log = { warn: () => undefined, error: (_: object, words: string) => void errors.push(words) };
  return {
    creds,
    query,
    errors,
    connected() {
      const sock = { ws: Object.assign(new EventEmitter(), { isOpen: true }), ev: new EventEmitter(), query, authState: { creds } };
      const sync = new AppStateSync({ sock, memory, log } as unknown as Wire, ownName);
      sync.opened();
      return { sock, sync };
    },
  };
}

const unchanged: BinaryNode = {
  tag: 'iq',
  attrs: {},
  content: [{ tag: 'sync', attrs: {}, content: [{ tag: 'collection', attrs: { name: 'critical_block', version: '0' } }] }],
};

test('the app state is read at the first login and for a new key, and not when all credentials are emitted with the same one', async () => {
  const { creds, query, connected } = number();
  query.mockResolvedValue(unchanged);
  const { sock, sync } = connected();
  expect(query).toHaveBeenCalledTimes(1);
  // Resolved by then: reading is over once its answer has been looked at.
  await new Promise(setImmediate);
  sock.ev.emit('creds.update', creds);
  sock.ev.emit('creds.update', { me: creds.me });
  expect(query).toHaveBeenCalledTimes(1);
  creds.myAppStateKeyId = 'second';
  sock.ev.emit('creds.update', creds);
  sock.ev.emit('creds.update', creds);
  expect(query).toHaveBeenCalledTimes(2);
  await new Promise(setImmediate);
  sync.close();
  connected();
  expect(query).toHaveBeenCalledTimes(2);
});

test('what could not be read is asked for once, and again after the next login', async () => {
  const { query, errors, connected } = number();
  query.mockResolvedValue(unchanged);
  const first = connected();
  // Resolved by then: reading is over once its answer has been looked at.
  await new Promise(setImmediate);
  query.mockClear();
  // An answer without the collection.
  query.mockResolvedValueOnce({ tag: 'iq', attrs: {}, content: [{ tag: 'sync', attrs: {} }] });
  const changed = { tag: 'notification', attrs: {}, content: [{ tag: 'collection', attrs: { name: 'critical_block' } }] };
  first.sock.ws.emit('CB:notification,type:server_sync', changed);
  await vi.waitFor(() => expect(errors).toEqual(['the name of a number could not be read from the app state']));
  expect(query).toHaveBeenCalledTimes(1);
  first.sync.close();
  connected();
  expect(query).toHaveBeenCalledTimes(2);
  await new Promise(setImmediate);
  connected();
  expect(query).toHaveBeenCalledTimes(2);
});
