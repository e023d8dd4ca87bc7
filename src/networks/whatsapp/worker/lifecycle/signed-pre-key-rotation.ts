import { type AuthenticationCreds, type BinaryNode, S_WHATSAPP_NET, signedKeyPair, type WASocket, xmppSignedPreKey } from 'baileys';
import { dayMs } from '../../../../core/index.ts';
import { keepSignedPreKeys, keptSignedPreKeys } from '../library/signed-pre-keys.ts';

/** How long WhatsApp Web uses a signed pre-key, in milliseconds. Sources: zapo (constants.ts), whatsapp-rust (rotate_key.rs). */
const lifeMs = 27 * dayMs;
/** How long WhatsApp Web waits after a fault of the network (codes from 500), in milliseconds. */
const pauseMs = dayMs;
/** How many earlier keys are kept, so that a message written with one is read for at least 54 days. WhatsApp Web keeps all. */
const mostEarlier = 2;
/** Ids have 24 bits. */
const highestId = 2 ** 24 - 1;
const queryMs = 15_000;

interface Rotation {
  readonly sock: Pick<WASocket, 'query'>;
  readonly creds: AuthenticationCreds;
  /** Resolves when the credentials are stored. */
  store(): Promise<void>;
  /** The time in epoch milliseconds. */
  readonly now: number;
}

/**
 * Replaces the number's signed pre-key when it has been in use for long enough. The new key is stored before the network gets it and is sent again,
 * over the next connection too, until the network has answered: whatever the network has, its private part is kept. Rejects when the network did not
 * take the key, or when it could not be stored.
 */
export async function rotateSignedPreKey({ sock, creds, store, now }: Rotation): Promise<void> {
  const { since, next, earlier } = keptSignedPreKeys(creds);
  if (since === null || since > now) {
    // Just linked, or the clock was wrong.
    keepSignedPreKeys(creds, { since: now });
    return store();
  }
  if (now - since < lifeMs) return;
  const current = creds.signedPreKey;
  const key = next ?? signedKeyPair(creds.signedIdentityKey, current.keyId >= highestId ? 1 : current.keyId + 1);
  if (next === null) {
    keepSignedPreKeys(creds, { next: key });
    await store();
  }
  try {
    await upload(sock, xmppSignedPreKey(key));
  } catch (error) {
    const code = codeOf(error);
    // Without a code the network may have taken the key, so it goes again as soon as possible.
    if (code !== null) keepSignedPreKeys(creds, code >= 500 ? { since: now - lifeMs + pauseMs } : { since: now, next: null });
    if (code !== null) await store();
    throw error;
  }
  // As the library changes credentials.
  Object.assign(creds, { signedPreKey: key });
  keepSignedPreKeys(creds, { since: now, next: null, earlier: [current, ...earlier].slice(0, mostEarlier) });
  await store();
}

async function upload(sock: Pick<WASocket, 'query'>, key: BinaryNode): Promise<void> {
  const attrs = { to: S_WHATSAPP_NET, type: 'set', xmlns: 'encrypt' };
  const answer: unknown = await sock.query({ tag: 'iq', attrs, content: [{ tag: 'rotate', attrs: {}, content: [key] }] }, queryMs);
  if (answer === undefined) throw new Error('the network did not answer in time');
}

/** The code with which the network refused a question; null when it did not answer. */
function codeOf(error: unknown): number | null {
  const data: unknown = typeof error === 'object' && error !== null && 'data' in error ? error.data : null;
  return typeof data === 'number' && Number.isInteger(data) ? data : null;
}
