import { addTransactionCapability, DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, initAuthCreds } from 'baileys';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMemoryKeys, quietLibsignal, silentLog } from 'whatsapp-test-server';
import { boundLidLookups } from '../../src/networks/whatsapp/worker/library/lid-lookups.ts';
import { PeerMutex } from '../../src/networks/whatsapp/worker/library/signal-repository.ts';
import { createLinkMemory } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';

quietLibsignal();
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
type PnToLid = NonNullable<Parameters<typeof make>[2]>;
type Link = ReturnType<typeof createLink>;

const [pn, otherPn] = ['4915110000002@s.whatsapp.net', '4915110000003@s.whatsapp.net'];

function createSide() {
  const keys = addTransactionCapability(createMemoryKeys(), silentLog, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  return { creds: { ...initAuthCreds(), me: { id: '4915110000001:3@s.whatsapp.net', lid: '991:3@lid' } }, keys };
}

/** The Signal side of a link, and the numbers whose LID was asked for. */
function createLink(pnToLid: PnToLid) {
  const side = createSide();
  const memory = createLinkMemory(new PeerMutex());
  const questions: (readonly string[])[] = [];
  const repository = boundLidLookups(memory.makeSignalRepository)(side, silentLog, (numbers) => {
    questions.push(numbers);
    return pnToLid(numbers);
  });
  return { ...side, memory, repository, questions };
}

/** Somebody who has started a SignalSession with the link. */
async function friendOf({ creds }: Link) {
  const repository = make(createSide(), silentLog, async () => []);
  const { registrationId, signedIdentityKey, signedPreKey } = creds;
  const { keyId, keyPair, signature } = signedPreKey;
  const session = {
    registrationId,
    identityKey: generateSignalPubKey(signedIdentityKey.public),
    signedPreKey: { keyId, publicKey: generateSignalPubKey(keyPair.public), signature },
  };
  await repository.injectE2ESession({ jid: '991:3@lid', session });
  return { repository, write: (words: string) => repository.encryptMessage({ jid: '991:3@lid', data: Buffer.from(words) }) };
}

test('messages are read while the network does not say who has written, and all together hold the others up for two seconds', async () => {
  const asked = Promise.withResolvers<void>();
  const link = createLink(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const [one, other] = [await friendOf(link), await friendOf(link)];
  const messages = [
    { jid: pn, ...(await one.write('one')) },
    { jid: otherPn, ...(await other.write('other')) },
  ];
  const reading = Promise.all(messages.map((message) => link.repository.decryptMessage(message)));
  const turn = link.memory.signalSessionMutex.take(async () => performance.now());
  await asked.promise;
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await reading).map(String)).toEqual(['one', 'other']);
  expect(await turn).toBe(2_000);
  expect(link.questions).toEqual([[pn]]);
  // The network is asked again after a while.
  await vi.advanceTimersByTimeAsync(30_000);
  const unknown = link.repository.lidMapping.getLIDForPN(otherPn);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await unknown).toBeNull();
  expect(link.questions).toEqual([[pn], [otherPn]]);
});

test('after a refusal only the own LID is known, which is never asked for', async () => {
  const { repository, questions } = createLink(() => Promise.reject(new Error('rate-overlimit')));
  expect(await repository.lidMapping.getLIDForPN(pn)).toBeNull();
  expect(await repository.lidMapping.getLIDForPN('4915110000001:5@s.whatsapp.net')).toBe('991:5@lid');
  expect(await repository.lidMapping.getLIDForPN(otherPn)).toBeNull();
  expect(questions).toEqual([[pn]]);
});

test('a number without a LID is asked for again after half a minute, and what was not asked for is left out', async () => {
  let answer = [{ pn: otherPn, lid: '993@lid' }];
  const { repository, questions } = createLink(async () => answer);
  // A cache takes an entry of the very first moment for one that does not expire.
  await vi.advanceTimersByTimeAsync(1);
  for (const _ of [1, 2]) expect(await repository.lidMapping.getLIDForPN(pn)).toBeNull();
  expect(questions).toEqual([[pn]]);
  await vi.advanceTimersByTimeAsync(32_000);
  answer = [{ pn, lid: '992@lid' }];
  for (const _ of [1, 2]) expect(await repository.lidMapping.getLIDForPN(pn)).toBe('992@lid');
  expect(questions).toEqual([[pn], [pn]]);
});

// Of Baileys 7.0.0-rc14: `migrateSession` moves the SignalSessions of listed devices, and no list is kept.
test.each([
  ['the number', pn],
  ['the LID', '992@lid'],
])('a SignalSession from before the LID was known goes on under it, with a message from %s', async (_, from) => {
  const link = createLink(async () => []);
  const { repository, keys, memory } = link;
  const friend = await friendOf(link);
  await repository.decryptMessage({ jid: pn, ...(await friend.write('first')) });
  const answer = await repository.encryptMessage({ jid: pn, data: Buffer.from('answer') });
  await friend.repository.decryptMessage({ jid: '991:3@lid', ...answer });
  memory.people.set('4915110000002', { lid: null, pn });
  memory.known.set(pn, { person: { lid: null, pn }, devices: [], addressed: new Map() });

  await repository.lidMapping.storeLIDPNMappings([{ lid: '992@lid', pn }]);
  const next = await friend.write('next');
  expect(next.type).toBe('msg');
  expect(String(await repository.decryptMessage({ jid: from, ...next }))).toBe('next');
  expect(Object.keys(await keys.get('session', ['4915110000002.0', '992_1.0']))).toEqual(['992_1.0']);
  // The next message to them must not look for it under the number.
  expect([memory.people.size, memory.known.size]).toEqual([0, 0]);
  expect((await repository.encryptMessage({ jid: pn, data: Buffer.from('another') })).type).toBe('msg');
});
