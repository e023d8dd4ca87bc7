import { addTransactionCapability, initAuthCreds } from 'baileys';
import { expect, test } from 'vitest';
import { createMemoryKeys, quietLibsignal, SignalIdentity, silentLog } from 'whatsapp-test-server';
import { PeerMutex } from '../../src/networks/whatsapp/worker/library/signal-repository.ts';
import { createLinkMemory } from '../../src/networks/whatsapp/worker/sending/link-memory.ts';

quietLibsignal();

/** The Signal side of one link: what it decrypts, and the sessions it has stored. */
function createLink(peers: PeerMutex) {
  const creds = initAuthCreds();
  const transactional = addTransactionCapability(createMemoryKeys(), silentLog, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const { makeSignalRepository } = createLinkMemory(peers);
  const repository = makeSignalRepository({ creds, keys: transactional }, silentLog, async () => []);
  const { keyId, keyPair, signature } = creds.signedPreKey;
  const bundle = {
    registrationId: creds.registrationId,
    identity: Buffer.from(creds.signedIdentityKey.public),
    signed: { id: keyId, key: Buffer.from(keyPair.public), signature: Buffer.from(signature) },
    once: null,
  };
  return { repository, bundle };
}

test('a link stores what it has decrypted while other links of its thread decrypt messages of the same person', async () => {
  const peers = new PeerMutex();
  const person = new SignalIdentity();
  const [link, other] = [createLink(peers), createLink(peers)];
  await person.startSession('1:1@lid', link.bundle);
  await person.startSession('2:1@lid', other.bundle);
  const written = async (to: string, count: number) => {
    const messages = [];
    for (let n = 0; n < count; n++) messages.push(await person.encrypt(to, Buffer.from('Hello')));
    return messages;
  };
  type Message = Awaited<ReturnType<SignalIdentity['encrypt']>>;
  const open = ({ repository }: typeof link, { type, ciphertext }: Message) =>
    repository.decryptMessage({ jid: '3:0@lid', type, ciphertext: Buffer.from(ciphertext) });
  const [first, second] = await written('1:1@lid', 2);
  if (first === undefined || second === undefined) throw new Error('nothing was written');
  const more = await written('2:1@lid', 20);

  const opening = open(link, first);
  const meanwhile = more.map((message) => open(other, message));
  await opening;
  await open(link, second);
  await Promise.all(meanwhile);
  await expect(open(link, second)).rejects.toThrow('Key used already');
});
