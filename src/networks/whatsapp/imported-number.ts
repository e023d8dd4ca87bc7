import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { blockOf, encodeBlock } from './worker/library/pre-key-blocks.ts';
import { credsRecord, encodeNamed, trimSignalRecord } from './worker/library/signal-keys.ts';
import { isSignedBy } from './worker/library/signatures.ts';

/** A Curve25519 key pair, 32 bytes each. */
export interface KeyPair {
  readonly public: Uint8Array;
  readonly private: Uint8Array;
}

/** What another program has stored of a linked number, in one form for all programs. */
export interface ImportedNumber {
  /** The address of the linked device: `NUMBER:DEVICE@s.whatsapp.net`. */
  readonly jid: string;
  /** The same by LID; null when the account has none. */
  readonly lid: string | null;
  /** The account's own name; null when it is not known. */
  readonly name: string | null;
  readonly platform: string | null;
  readonly registrationId: number;
  readonly noiseKey: KeyPair;
  readonly identityKey: KeyPair;
  readonly signedPreKey: { readonly keyPair: KeyPair; readonly keyId: number; readonly signature: Uint8Array };
  readonly advSecret: Uint8Array;
  /** The phone's signed statement that this device is linked (`ADVSignedDeviceIdentity`). */
  readonly account: {
    readonly details: Uint8Array;
    readonly accountSignatureKey: Uint8Array;
    readonly accountSignature: Uint8Array;
    readonly deviceSignature: Uint8Array;
  };
  readonly nextPreKeyId: number;
  readonly firstUnuploadedPreKeyId: number;
  readonly preKeys: ReadonlyMap<string, KeyPair>;
  /** The id of the key of the app state that the phone shared last; null when it has shared none. */
  readonly appStateKeyId: string | null;
  /** Whether the account is addressed by LID; null when unknown. */
  readonly migrated: boolean | null;
  readonly nctSalt: Uint8Array | null;
  /** Other records, by the names under which a link keeps them (`type:id`): only the types in `importedTypes`. */
  readonly records: ReadonlyMap<string, unknown>;
}

export const importedTypes = ['session', 'identity-key', 'lid-mapping', 'tctoken', 'app-state-sync-key'] as const;

/** The digits of the phone number. */
export const numberOf = ({ jid }: Pick<ImportedNumber, 'jid'>): string => jid.split(/[:@]/, 1)[0] ?? '';

/** How many records of each type there are. */
export function countImported({ records, preKeys }: ImportedNumber): Readonly<Record<(typeof importedTypes)[number] | 'pre-key', number>> {
  const counts = { 'pre-key': preKeys.size, session: 0, 'identity-key': 0, 'lid-mapping': 0, tctoken: 0, 'app-state-sync-key': 0 };
  for (const name of records.keys()) {
    const type = importedTypes.find((one) => name.startsWith(`${one}:`));
    if (type !== undefined) counts[type]++;
  }
  return counts;
}

const deviceSignaturePrefixes = [Buffer.of(6, 1), Buffer.of(6, 6)];
/** The type of a Curve25519 key, which is written before it where it is signed. */
const curveType = Buffer.of(5);

/** Why the number cannot log in with these keys; null when nothing speaks against it. Keys that were mixed up or cut off are found here. */
export function importProblem({ noiseKey, identityKey, signedPreKey, account, preKeys, ...number }: ImportedNumber): string | null {
  if (!isPair(noiseKey) || !isPair(identityKey) || !isPair(signedPreKey.keyPair)) return 'its keys are damaged';
  const signed = Buffer.concat([curveType, signedPreKey.keyPair.public]);
  const { details, accountSignatureKey, deviceSignature } = account;
  const statement = Buffer.concat([details, identityKey.public, accountSignatureKey]);
  const isOwn =
    isSignedBy(identityKey.public, signed, signedPreKey.signature) &&
    deviceSignaturePrefixes.some((prefix) => isSignedBy(identityKey.public, Buffer.concat([prefix, statement]), deviceSignature));
  if (!isOwn) return 'its keys do not belong together: they are damaged, or of two numbers';
  if (preKeys.size === 0 && number.firstUnuploadedPreKeyId > 1) return 'its one-time keys are missing: the copy is not complete';
  return null;
}

/** When the phone linked the device (epoch milliseconds), as its statement has it; null when it does not say. */
export function linkedAt({ account }: Pick<ImportedNumber, 'account'>): number | null {
  // ADVDeviceIdentity consists of varints. Field 2 is the time in epoch seconds.
  const bytes = account.details;
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag % 8 !== 0) return null;
    const value = varint();
    if (tag === 16) return value > 0 && value < 1e11 ? value * 1000 : null;
  }
  return null;
}

/** The credential records of a link with this number, by their names. */
export function importedRecords(number: ImportedNumber): Map<string, Uint8Array> {
  const records = new Map<string, Uint8Array>([[credsRecord, encodeNamed(credsRecord, credentials(number))]]);
  const blocks = new Map<string, Map<string, KeyPair>>();
  for (const [id, pair] of number.preKeys) {
    const block = blocks.get(blockOf(id)) ?? new Map<string, KeyPair>();
    block.set(id, pair);
    blocks.set(blockOf(id), block);
  }
  for (const [block, pairs] of blocks) {
    const name = `pre-key:${block}`;
    records.set(name, encodeNamed(name, encodeBlock(pairs)));
  }
  for (const [name, value] of number.records) {
    records.set(name, encodeNamed(name, name.startsWith('session:') ? trimSignalRecord(value) : value));
  }
  return records;
}

export function pairOf(privateKey: Uint8Array): KeyPair {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: 'raw-private', asymmetricKeyType: 'x25519' });
  return { private: privateKey, public: createPublicKey(key).export({ format: 'raw-public' }) };
}

function isPair({ public: half, private: other }: KeyPair): boolean {
  return half.length === 32 && other.length === 32 && Buffer.compare(pairOf(other).public, half) === 0;
}

/** The number's credentials as Baileys keeps them. */
function credentials(number: ImportedNumber): Record<string, unknown> {
  const { jid, lid, name, account } = number;
  const ephemeral = generateKeyPairSync('x25519').privateKey.export({ format: 'raw-private' });
  return {
    noiseKey: number.noiseKey,
    // Needed while a phone links, and expected to be there afterwards.
    pairingEphemeralKeyPair: pairOf(ephemeral),
    signedIdentityKey: number.identityKey,
    signedPreKey: number.signedPreKey,
    registrationId: number.registrationId,
    advSecretKey: Buffer.from(number.advSecret).toString('base64'),
    me: { id: jid, ...(lid === null ? {} : { lid }), ...(name === null ? {} : { name }) },
    account,
    signalIdentities: [
      { identifier: { name: lid ?? jid, deviceId: 0 }, identifierKey: Buffer.concat([curveType, account.accountSignatureKey]) },
    ],
    ...(number.platform === null ? {} : { platform: number.platform }),
    ...(number.appStateKeyId === null ? {} : { myAppStateKeyId: number.appStateKeyId }),
    nextPreKeyId: number.nextPreKeyId,
    firstUnuploadedPreKeyId: number.firstUnuploadedPreKeyId,
    processedHistoryMessages: [],
    accountSyncCounter: 0,
    accountSettings: { unarchiveChats: false },
    registered: true,
    pairingCode: undefined,
    lastPropHash: undefined,
    routingInfo: undefined,
    additionalData: {
      ...(number.migrated === null ? {} : { migrated: number.migrated }),
      ...(number.nctSalt === null ? {} : { salt: number.nctSalt }),
    },
  };
}
