import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { addTransactionCapability, Curve, DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, initAuthCreds } from 'baileys';
import { ProtocolAddress, SessionCipher, type SignalStorage } from 'libsignal';
import { describe, expect, test } from 'vitest';
import { createMemoryKeys, silentLog } from 'whatsapp-test-server';
import { BatchEncryption } from '../../src/networks/whatsapp/worker/library/batch-encryption.ts';

/** One side of a conversation on Baileys' own Signal code. */
function side() {
  const creds = initAuthCreds();
  const records = new Map<string, unknown>();
  const keys = addTransactionCapability(createMemoryKeys(records), silentLog, { maxCommitRetries: 1, delayBetweenTriesMs: 1 });
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, silentLog, async () => []);
  return { creds, records, repository, session: (number: string) => records.get(`session:${number}.0`) };
}

const jid = (number: string) => `${number}@s.whatsapp.net`;

/** Ada has a session with Ben, who has not got its first message yet. */
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

/** A batch from Ada to Ben, on the record that is stored now. */
function batch({ creds, session }: ReturnType<typeof side>): BatchEncryption {
  return new BatchEncryption({ '222.0': structuredClone(session('222')) as Uint8Array }, creds);
}

async function encrypted(batch: BatchEncryption, data: Buffer) {
  const ciphertext = await batch.encrypt('222.0', data);
  if (ciphertext === null) throw new Error('no session to encrypt with');
  return ciphertext;
}

describe('a batch of messages encrypted in memory', () => {
  test.each([true, false])('has the bytes and leaves the record of the Signal library (prekey: %s)', async (withPreKey) => {
    const { ada, ben } = await conversation(withPreKey);
    for (const length of [1, 15, 16, 17, 500, 20_000]) {
      const data = randomBytes(length);
      const mine = batch(ada);
      const { type, bytes } = await encrypted(mine, data);
      const theirs = await ada.repository.encryptMessage({ jid: jid('222'), data });
      expect({ type, hex: Buffer.from(bytes).toString('hex') }).toEqual({
        type: theirs.type,
        hex: Buffer.from(theirs.ciphertext).toString('hex'),
      });
      expect(mine.changed()).toEqual({ '222.0': ada.session('222') });
      expect(await ben.repository.decryptMessage({ jid: jid('111'), type: theirs.type, ciphertext: theirs.ciphertext })).toEqual(data);
      const answer = await ben.repository.encryptMessage({ jid: jid('111'), data: randomBytes(10) });
      await ada.repository.decryptMessage({ jid: jid('222'), type: answer.type, ciphertext: answer.ciphertext });
    }
  });

  test('is decrypted in its order, leaves the stored record as it was, and the library goes on after it', async () => {
    const { ada, ben } = await conversation();
    const before = JSON.stringify(ada.session('222'));
    const many = batch(ada);
    for (const data of Array.from({ length: 200 }, () => randomBytes(40))) {
      const { type, bytes } = await encrypted(many, data);
      expect(await ben.repository.decryptMessage({ jid: jid('111'), type, ciphertext: bytes })).toEqual(data);
    }
    expect(JSON.stringify(ada.session('222'))).toBe(before);
    ada.records.set('session:222.0', many.changed()['222.0']);
    const last = await ada.repository.encryptMessage({ jid: jid('222'), data: Buffer.from('by the library again') });
    const read = await ben.repository.decryptMessage({ jid: jid('111'), type: last.type, ciphertext: last.ciphertext });
    expect(Buffer.from(read).toString()).toBe('by the library again');
  });

  test('leaves out devices without an open session', async () => {
    const { ada } = await conversation();
    const record = structuredClone(ada.session('222')) as { _sessions: Record<string, { indexInfo: { closed: number } }> };
    for (const entry of Object.values(record._sessions)) entry.indexInfo.closed = 1;
    const stored = { '222.0': record, '333.0': { version: 'v1', _sessions: { broken: {} } } } as unknown as Record<string, Uint8Array>;
    const none = new BatchEncryption(stored, ada.creds);
    for (const address of ['222.0', '333.0', '444.0']) expect(await none.encrypt(address, randomBytes(8))).toBeNull();
    expect(none.changed()).toEqual({});
  });

  // Of libsignal 6.0.0: its queue is one per address for the whole thread and runs jobs in the context of whoever came first.
  test('waits for nothing that libsignal does for the same address, and runs in its own asynchronous context', async () => {
    const { ada } = await conversation();
    const context = new AsyncLocalStorage<string>();
    const held = Promise.withResolvers<undefined>();
    const storage = { loadSession: () => held.promise } as unknown as SignalStorage;
    const blocked = context.run('another link', () => new SessionCipher(storage, new ProtocolAddress('222', 0)).encrypt(Buffer.from('x')));
    blocked.catch(() => undefined);
    await context.run('this batch', async () => {
      await encrypted(batch(ada), randomBytes(8));
      expect(context.getStore()).toBe('this batch');
    });
    held.resolve(undefined);
    await expect(blocked).rejects.toThrow();
  });
});
