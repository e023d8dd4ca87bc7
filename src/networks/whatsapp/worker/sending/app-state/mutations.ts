import { createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { proto } from 'baileys';
import { ProtobufStream, type Shape } from '../../library/protobuf-stream.ts';

const macBytes = 32;
const ivBytes = 16;
const { SET, REMOVE } = proto.SyncdMutation.SyncdOperation;

/** Where a value is found in the app state. */
export interface ValueLocation {
  /** The name under which its collection holds it. */
  readonly index: string;
  /** The field of SyncActionValue in whose field 1 it is. */
  readonly field: number;
}

/** One changed value, encrypted. */
export interface Mutation {
  readonly isRemoval: boolean;
  /** The MAC of the value's name. */
  readonly index: Uint8Array;
  readonly value: Uint8Array;
  readonly keyId: Uint8Array;
}

/** Keys derived from one of the account's app state keys. */
export interface AppStateKeys {
  /** The MAC of the followed value's name. */
  readonly index: Buffer;
  readonly encryption: Buffer;
  readonly mac: Buffer;
}

/** Derives the keys from one that the phone has shared, for reading the value of this name. Source: whatsmeow appstate/keys.go. */
export function appStateKeys(keyData: Uint8Array, { index }: Pick<ValueLocation, 'index'>): AppStateKeys {
  const keys = Buffer.from(hkdfSync('sha256', keyData, Buffer.alloc(0), 'WhatsApp Mutation Keys', 160));
  return {
    index: createHmac('sha256', keys.subarray(0, 32))
      .update(JSON.stringify([index]))
      .digest(),
    encryption: keys.subarray(32, 64),
    mac: keys.subarray(64, 96),
  };
}

/**
 * The followed value after a change: the new one, null if the change removes it, undefined if it concerns another value, which is not decrypted.
 * Throws if the MAC is wrong.
 */
export function valueAfter(
  { isRemoval, index, value, keyId }: Mutation,
  keys: AppStateKeys,
  { field }: Pick<ValueLocation, 'field'>,
): Uint8Array | null | undefined {
  if (!keys.index.equals(index)) return undefined;
  const body = value.subarray(0, -macBytes);
  const head = Buffer.concat([Buffer.of(isRemoval ? 2 : 1), keyId]);
  const length = Buffer.alloc(8);
  length.writeUInt8(head.length, 7);
  const mac = createHmac('sha512', keys.mac).update(head).update(body).update(length).digest().subarray(0, macBytes);
  if (value.length <= ivBytes + macBytes || !timingSafeEqual(mac, value.subarray(-macBytes)))
    throw new Error('a value of the app state is not authentic');
  if (isRemoval) return null;
  const decipher = createDecipheriv('aes-256-cbc', keys.encryption, body.subarray(0, ivBytes));
  return valueIn(Buffer.concat([decipher.update(body.subarray(ivBytes)), decipher.final()]), field);
}

/** Reads a snapshot of the whole app state (SyncdSnapshot): version (1) and values (2). */
export function snapshotShape(take: (change: Mutation | number) => void): Shape {
  return {
    within: {
      1: { keep: [1], done: (fields) => take(fields.number(1)) },
      2: recordShape((record) => take({ ...record, isRemoval: false })),
    },
  };
}

/** Reads a list of changes (SyncdMutations): each (1) has an operation (1) and a value (2). */
export function mutationsShape(take: (mutation: Mutation) => void): Shape {
  let record: Omit<Mutation, 'isRemoval'> | null = null;
  const mutation: Shape = {
    keep: [1],
    within: {
      2: recordShape((read) => {
        record = read;
      }),
    },
    done(fields) {
      if (record !== null) take({ ...record, isRemoval: fields.number(1) === REMOVE });
      record = null;
    },
  };
  return { within: { 1: mutation } };
}

/** The changes that a patch contains itself, not in a file. */
export function mutationsIn({ mutations }: proto.ISyncdPatch): Mutation[] {
  return (mutations ?? []).flatMap(({ operation, record }) => {
    const [index, value, keyId] = [record?.index?.blob, record?.value?.blob, record?.keyId?.id];
    return index && value && keyId ? [{ isRemoval: (operation ?? SET) === REMOVE, index, value, keyId }] : [];
  });
}

/** A SyncdRecord: index (1), value (2) and key (3), each wrapped once. */
function recordShape(done: (record: Omit<Mutation, 'isRemoval'>) => void): Shape {
  let parts = new Map<number, Uint8Array>();
  const part = (field: number): Shape => ({
    keep: [1],
    done(fields) {
      const bytes = fields.bytes(1);
      if (bytes !== null) parts.set(field, bytes);
    },
  });
  return {
    within: { 1: part(1), 2: part(2), 3: part(3) },
    done() {
      const [index, value, keyId] = [parts.get(1), parts.get(2), parts.get(3)];
      parts = new Map();
      if (index !== undefined && value !== undefined && keyId !== undefined) done({ index, value, keyId });
    },
  };
}

/** Of a value (SyncActionData) its value (2) › this field › field 1. */
function valueIn(action: Uint8Array, field: number): Uint8Array | null {
  let value: Uint8Array | null = null;
  const inner: Shape = {
    keep: [1],
    done: (fields) => {
      value = fields.bytes(1);
    },
  };
  const stream = new ProtobufStream({ within: { 2: { within: { [field]: inner } } } });
  stream.push(action);
  stream.end();
  return value;
}
