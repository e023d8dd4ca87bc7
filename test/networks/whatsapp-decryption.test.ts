import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { addTransactionCapability, DEFAULT_CONNECTION_CONFIG, generateSignalPubKey, initAuthCreds } from 'baileys';
import { SessionCipher } from 'libsignal';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryKeys, quietLibsignal, silentLog } from 'whatsapp-test-server';
import { correctSessionTrials } from '../../src/networks/whatsapp/worker/library/signal-decryption.ts';

quietLibsignal();

// libsignal tries the session first that was used last, and the one that is older if both were in the same millisecond.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

type Side = ReturnType<typeof side>;

/** One side of a conversation on Baileys' own Signal code. */
function side(jid: string) {
  const creds = initAuthCreds();
  const keys = addTransactionCapability(createMemoryKeys(), silentLog, { maxCommitRetries: 1, delayBetweenTriesMs: 1 });
  return { jid, creds, repository: DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, silentLog, async () => []) };
}

/** Starts another Signal session, as a device does that was asked for a message again. */
async function start(from: Side, to: Side): Promise<void> {
  vi.setSystemTime(Date.now() + 1);
  const { registrationId, signedIdentityKey, signedPreKey } = to.creds;
  const { keyId, keyPair, signature } = signedPreKey;
  const session = {
    registrationId,
    identityKey: generateSignalPubKey(signedIdentityKey.public),
    signedPreKey: { keyId, publicKey: generateSignalPubKey(keyPair.public), signature },
  };
  await from.repository.injectE2ESession({ jid: to.jid, session });
}

async function write(from: Side, to: Side, text: string) {
  return { jid: from.jid, ...(await from.repository.encryptMessage({ jid: to.jid, data: Buffer.from(text) })) };
}

async function read(by: Side, message: Awaited<ReturnType<typeof write>>): Promise<string> {
  return Buffer.from(await by.repository.decryptMessage(message)).toString();
}

/** Ada and Ben, who have written to each other in one Signal session, so that their messages do not start one any more. */
async function conversation() {
  const [ada, ben] = [side('111@lid'), side('222@lid')];
  await start(ada, ben);
  await read(ben, await write(ada, ben, 'Hello'));
  await read(ada, await write(ben, ada, 'Hello'));
  return { ada, ben };
}

/** Ben's last message in the old session reaches Ada when she has started another one. */
async function overtaken() {
  const { ada, ben } = await conversation();
  const late = await write(ben, ada, 'late');
  expect(late.type).toBe('msg');
  await start(ada, ben);
  expect(await read(ada, late)).toBe('late');
  return { ada, ben };
}

const cipher = SessionCipher.prototype as unknown as { decryptWithSessions: unknown };

/** Has this done to libsignal for the rest of the test. */
function during(change: () => void): void {
  const { decryptWithSessions } = cipher;
  onTestFinished(() => {
    cipher.decryptWithSessions = decryptWithSessions;
  });
  change();
}

/** libsignal's own way, whatever this process has corrected in it. */
function asItComes(): void {
  const require = createRequire(import.meta.url);
  const file = join(dirname(require.resolve('libsignal')), 'src', 'session_cipher.js');
  const { [file]: loaded } = require.cache;
  delete require.cache[file];
  cipher.decryptWithSessions = require(file).prototype.decryptWithSessions;
  require.cache[file] = loaded;
}

describe('a message of an earlier Signal session', () => {
  // Of libsignal 6.0.0.
  it('makes the current one useless for libsignal as it comes', async () => {
    during(asItComes);
    const { ada, ben } = await overtaken();
    const next = await write(ada, ben, 'next');
    expect(next.type).toBe('pkmsg');
    await expect(read(ben, next)).rejects.toThrow('Bad MAC');
  });

  it('is read, and the current one stays as it was', async () => {
    during(correctSessionTrials);
    const { ada, ben } = await overtaken();
    expect(await read(ben, await write(ada, ben, 'next'))).toBe('next');
    expect(await read(ada, await write(ben, ada, 'answer'))).toBe('answer');
    expect(await read(ben, await write(ada, ben, 'last'))).toBe('last');
  });
});

describe('a message that comes a second time', () => {
  // Of libsignal 6.0.0.
  it('looks to libsignal as it comes like one that it cannot decrypt', async () => {
    during(asItComes);
    const { ada, ben } = await conversation();
    const message = await write(ada, ben, 'once');
    await read(ben, message);
    await expect(read(ben, message)).rejects.toThrow('No matching sessions found');
  });

  // Of Baileys 7.0.0-rc14: with these words it acknowledges a message and does not ask for it again.
  it('is known, as is what was never readable', async () => {
    during(correctSessionTrials);
    const { ada, ben } = await conversation();
    const message = await write(ada, ben, 'once');
    expect(await read(ben, message)).toBe('once');
    await expect(read(ben, message)).rejects.toThrow('Key used already or never filled');
    const other = await write((await conversation()).ada, ben, 'of somebody else');
    await expect(read(ben, other)).rejects.toThrow('No matching sessions found');
    expect(await read(ben, await write(ada, ben, 'next'))).toBe('next');
  });
});
