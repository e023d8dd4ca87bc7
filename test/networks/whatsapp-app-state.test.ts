import { expect, test } from 'vitest';
import { Settings } from 'whatsapp-test-server';
import { appStateKeys, type Mutation, mutationsIn, saltAfter } from '../../src/networks/whatsapp/worker/sending/app-state/mutations.ts';

const salt = Buffer.alloc(32, 7);

async function changes() {
  const settings = new Settings();
  settings.changeSalt(salt);
  settings.changeSalt(null);
  const mutations = settings.patchesAfter(0).flatMap(mutationsIn);
  const { keyData } = (await settings.key(Buffer.from(mutations[0]?.keyId ?? []).toString('base64'))) ?? {};
  return { mutations, keys: appStateKeys(keyData ?? Buffer.alloc(0)) };
}

test('of the app state only the nct salt is opened, set or removed', async () => {
  const { mutations, keys } = await changes();
  expect(mutations.map((mutation) => saltAfter(mutation, keys))).toEqual([undefined, salt, null]);
  const other = appStateKeys(Buffer.alloc(32));
  expect(mutations.map((mutation) => saltAfter(mutation, other))).toEqual([undefined, undefined, undefined]);
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
  for (const mutation of mutations.slice(1)) expect(() => saltAfter(forge(mutation), keys)).toThrow('not authentic');
});
