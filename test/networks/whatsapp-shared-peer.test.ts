import { addTransactionCapability, initAuthCreds, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from 'baileys';
import { expect, test } from 'vitest';
import { createLinkMemory, PeerTurns } from '../../src/networks/whatsapp/worker/sending/index.ts';
import { quietLibsignal } from '../support/whatsapp-server/quiet-libsignal.ts';
import { SignalIdentity } from '../support/whatsapp-server/signal-identity.ts';

quietLibsignal();

const nothing = () => undefined;
const log = { level: 'silent', child: () => log, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The Signal side of one link: what it decrypts, and the sessions it has stored. */
function createLink(peers: PeerTurns) {
  const creds = initAuthCreds();
  const records = new Map<string, unknown>();
  const keys: SignalKeyStore = {
    get: async <Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) => {
      const found = ids.flatMap((id) => (records.has(`${type} ${id}`) ? [[id, records.get(`${type} ${id}`)]] : []));
      return Object.fromEntries(found) as Record<string, SignalDataTypeMap[Type]>;
    },
    set: async (data: SignalDataSet) => {
      for (const [type, values] of Object.entries(data)) {
        for (const [id, value] of Object.entries(values)) records.set(`${type} ${id}`, value);
      }
    },
  };
  const transactional = addTransactionCapability(keys, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const { makeSignalRepository } = createLinkMemory(peers);
  const repository = makeSignalRepository({ creds, keys: transactional }, log, async () => []);
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
  const peers = new PeerTurns();
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
