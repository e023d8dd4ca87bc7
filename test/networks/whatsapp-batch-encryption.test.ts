import { randomBytes } from 'node:crypto';
import {
  type AuthenticationCreds,
  addTransactionCapability,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  generateSignalPubKey,
  initAuthCreds,
  type SignalDataTypeMap,
  type SignalKeyStore,
} from 'baileys';
import { describe, expect, test } from 'vitest';
import { OutgoingSession } from '../../src/networks/whatsapp/worker/library/outgoing-session.ts';

const silent = {
  level: 'silent',
  child: () => silent,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** One side of a conversation on Baileys' own Signal code. */
function side() {
  const creds = initAuthCreds();
  const records = new Map<string, unknown>();
  const store: SignalKeyStore = {
    async get<Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) {
      const found: Record<string, SignalDataTypeMap[Type]> = {};
      for (const id of ids) if (records.has(`${type}:${id}`)) found[id] = records.get(`${type}:${id}`) as SignalDataTypeMap[Type];
      return found;
    },
    async set(data) {
      for (const [type, values] of Object.entries(data))
        for (const [id, value] of Object.entries(values)) records.set(`${type}:${id}`, value);
    },
  };
  const keys = addTransactionCapability(store, silent, { maxCommitRetries: 1, delayBetweenTriesMs: 1 });
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, silent, async () => []);
  return { creds, records, repository, session: (number: string) => records.get(`session:${number}.0`) };
}

const senderOf = ({ registrationId, signedIdentityKey }: AuthenticationCreds) => ({
  registrationId,
  identityKey: generateSignalPubKey(signedIdentityKey.public),
});

const jid = (number: string) => `${number}@s.whatsapp.net`;

/** Ada has a session with Ben, who has not heard of it yet. */
async function conversation(withPreKey = true) {
  const ada = side();
  const ben = side();
  const preKey = Curve.generateKeyPair();
  ben.records.set('pre-key:7', preKey);
  const { signedPreKey, signedIdentityKey, registrationId } = ben.creds;
  await ada.repository.injectE2ESession({
    jid: jid('222'),
    session: {
      registrationId,
      identityKey: generateSignalPubKey(signedIdentityKey.public),
      signedPreKey: { keyId: 1, publicKey: generateSignalPubKey(signedPreKey.keyPair.public), signature: signedPreKey.signature },
      ...(withPreKey ? { preKey: { keyId: 7, publicKey: generateSignalPubKey(preKey.public) } } : {}),
    } as Parameters<typeof ada.repository.injectE2ESession>[0]['session'],
  });
  return { ada, ben };
}

function outgoing(record: unknown): OutgoingSession {
  const session = OutgoingSession.of(record);
  if (session === null) throw new Error('no session to encrypt with');
  return session;
}

describe('encrypting in a stored session', () => {
  test.each([true, false])(
    'gives the bytes and the record of the Signal library, before and after an answer (prekey: %s)',
    async (withPreKey) => {
      const { ada, ben } = await conversation(withPreKey);
      const sender = senderOf(ada.creds);
      for (const length of [1, 15, 16, 17, 500, 20_000]) {
        const data = randomBytes(length);
        const mine = outgoing(ada.session('222'));
        const encrypted = mine.encrypt(data, sender);
        const theirs = await ada.repository.encryptMessage({ jid: jid('222'), data });
        expect({ type: encrypted.type, hex: Buffer.from(encrypted.bytes).toString('hex') }).toEqual({
          type: theirs.type,
          hex: Buffer.from(theirs.ciphertext).toString('hex'),
        });
        expect(mine.record()).toEqual(ada.session('222'));
        expect(await ben.repository.decryptMessage({ jid: jid('111'), type: theirs.type, ciphertext: theirs.ciphertext })).toEqual(data);
        const answer = await ben.repository.encryptMessage({ jid: jid('111'), data: randomBytes(10) });
        await ada.repository.decryptMessage({ jid: jid('222'), type: answer.type, ciphertext: answer.ciphertext });
      }
    },
  );

  test('many messages with one reading of the record are decrypted in their order, and leave the record as it was', async () => {
    const { ada, ben } = await conversation();
    const record = ada.session('222');
    const before = JSON.stringify(record);
    const session = outgoing(record);
    const messages = Array.from({ length: 200 }, () => randomBytes(40));
    for (const data of messages) {
      const { type, bytes } = session.encrypt(data, senderOf(ada.creds));
      expect(await ben.repository.decryptMessage({ jid: jid('111'), type, ciphertext: bytes })).toEqual(data);
    }
    expect(JSON.stringify(record)).toBe(before);
    ada.records.set('session:222.0', session.record());
    const last = await ada.repository.encryptMessage({ jid: jid('222'), data: Buffer.from('by the library again') });
    const read = await ben.repository.decryptMessage({ jid: jid('111'), type: last.type, ciphertext: last.ciphertext });
    expect(Buffer.from(read).toString()).toBe('by the library again');
  });

  test('there is none in a record without an open session', async () => {
    const { ada } = await conversation();
    const record = structuredClone(ada.session('222')) as { _sessions: Record<string, { indexInfo: { closed: number } }> };
    for (const entry of Object.values(record._sessions)) entry.indexInfo.closed = 1;
    expect(OutgoingSession.of(record)).toBeNull();
    expect(OutgoingSession.of(undefined)).toBeNull();
    expect(OutgoingSession.of({})).toBeNull();
  });
});
