import type { ImportedNumber, KeyPair } from '../networks/whatsapp/imported-number.ts';
import { Unusable } from './found.ts';

/** How Baileys writes its credentials and keys as JSON: `useMultiFileAuthState`, and programs that keep the same in a database. */

/** The value of a JSON text, which may itself be a text of JSON; undefined when it is none. Byte arrays are Buffers. */
export function readJson(text: string): unknown {
  let value = parsed(text);
  for (let inner = 0; inner < 2 && typeof value === 'string' && /^["{[]/.test(value); inner++) value = parsed(value);
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => {
      const { type, data } = isObject(value) ? value : {};
      if (type !== 'Buffer') return value;
      return typeof data === 'string' ? Buffer.from(data, 'base64') : Array.isArray(data) ? Buffer.from(data as number[]) : value;
    });
  } catch {
    return undefined;
  }
}

type Credentials = Omit<ImportedNumber, 'preKeys' | 'records'>;

const deviceJid = /^[1-9][0-9]{5,14}:[1-9][0-9]{0,4}@s\.whatsapp\.net$/;
const deviceLid = /^[0-9]{5,20}:[0-9]{1,5}@lid$/;

/** What `creds` says. Throws Unusable. */
export function readCredentials(creds: unknown): Credentials {
  if (!isObject(creds)) throw new Unusable('its credentials are damaged');
  if (!('noiseKey' in creds) || !('signedIdentityKey' in creds)) throw new Unusable('its credentials are not of Baileys');
  const { me, account } = creds;
  if (!isObject(me) || !isObject(account)) throw new Unusable('was never linked: there are no credentials of a phone');
  const { id, lid, name } = me;
  if (typeof id !== 'string' || !deviceJid.test(id)) throw new Unusable('its credentials do not name the number');
  const signedPreKey = isObject(creds.signedPreKey) ? creds.signedPreKey : {};
  const { additionalData } = creds;
  return {
    jid: id,
    lid: typeof lid === 'string' && deviceLid.test(lid) ? lid : null,
    name: shortText(name),
    platform: shortText(creds.platform),
    registrationId: whole(creds.registrationId, 0),
    noiseKey: needed(readPair(creds.noiseKey)),
    identityKey: needed(readPair(creds.signedIdentityKey)),
    signedPreKey: {
      keyPair: needed(readPair(signedPreKey.keyPair)),
      keyId: whole(signedPreKey.keyId, 1),
      signature: needed(readBytes(signedPreKey.signature, 64)),
    },
    advSecret: needed(readBytes(creds.advSecretKey, 32)),
    account: {
      details: needed(readBytes(account.details)),
      accountSignatureKey: needed(readBytes(account.accountSignatureKey, 32)),
      accountSignature: needed(readBytes(account.accountSignature, 64)),
      deviceSignature: needed(readBytes(account.deviceSignature, 64)),
    },
    nextPreKeyId: whole(creds.nextPreKeyId, 1),
    firstUnuploadedPreKeyId: whole(creds.firstUnuploadedPreKeyId, 1),
    appStateKeyId: shortText(creds.myAppStateKeyId),
    migrated: isObject(additionalData) && typeof additionalData.migrated === 'boolean' ? additionalData.migrated : null,
    nctSalt: isObject(additionalData) && additionalData.salt instanceof Uint8Array ? additionalData.salt : null,
  };
}

/** A pair of keys; null when it is none. */
export function readPair(value: unknown): KeyPair | null {
  const { public: half, private: other } = isObject(value) ? value : {};
  const [publicKey, privateKey] = [readBytes(half, 32), readBytes(other, 32)];
  return publicKey === null || privateKey === null ? null : { public: publicKey, private: privateKey };
}

/** How a key of each type is read; null: it is not readable. */
const readers: Readonly<Record<string, (id: string, value: unknown) => unknown>> = {
  session: (id, value) => (address.test(id) && isSignalRecord(value) ? value : null),
  'identity-key': (id, value) => (address.test(id) ? readBytes(value, 33) : null),
  'lid-mapping': (id, value) =>
    /^[0-9]{5,20}(_reverse)?$/.test(id) && typeof value === 'string' && /^[0-9]{5,20}$/.test(value) ? value : null,
  tctoken(id, value) {
    const { token, timestamp, senderTimestamp } = isObject(value) ? value : {};
    if (!/^[0-9]{5,20}@(lid|s\.whatsapp\.net)$/.test(id) || !(token instanceof Uint8Array) || token.length > 4096) return null;
    return {
      token,
      ...(/^[0-9]{1,15}$/.test(String(timestamp)) ? { timestamp: String(timestamp) } : {}),
      ...(typeof senderTimestamp === 'number' ? { senderTimestamp } : {}),
    };
  },
  'app-state-sync-key'(id, value) {
    const keyData = readBytes(isObject(value) ? value.keyData : null);
    return keyData === null || id.length > 100 ? null : { keyData };
  },
};
const address = /^[0-9]{5,20}(_[0-9]{1,3})?\.[0-9]{1,5}$/;

/** Whether this is a SignalRecord of libsignal in its last version. */
function isSignalRecord(value: unknown): boolean {
  if (!isObject(value) || value.version !== 'v1' || !isObject(value._sessions)) return false;
  return Object.values(value._sessions).every((session) => {
    const { indexInfo, currentRatchet, _chains: chains } = isObject(session) ? session : {};
    if (!isObject(indexInfo) || typeof indexInfo.closed !== 'number' || !isObject(currentRatchet) || !isObject(chains)) return false;
    return Object.values(chains).every(isObject);
  });
}

/** The value of a key of one of the imported types; null when it is not readable. */
export function readKey(type: string, id: string, value: unknown): unknown {
  return readers[type]?.(id, value) ?? null;
}

/** Bytes as Baileys writes them: a Buffer, or Base64 in what was a protobuf message. */
function readBytes(value: unknown, length: number | null = null): Uint8Array | null {
  const bytes = typeof value === 'string' && value.length < 8192 ? Buffer.from(value, 'base64') : value;
  if (!(bytes instanceof Uint8Array) || bytes.length === 0 || bytes.length > 4096) return null;
  return length === null || bytes.length === length ? bytes : null;
}

function needed<T>(value: T | null): T {
  if (value === null) throw new Unusable('its credentials are damaged: a key is missing or of the wrong size');
  return value;
}

function whole(value: unknown, least: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value >= 2 ** 32) {
    throw new Unusable('its credentials are damaged: a number in it is missing or out of range');
  }
  return value;
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= 200 ? value : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
