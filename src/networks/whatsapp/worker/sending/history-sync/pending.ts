import { deflateSync, inflateSync } from 'node:zlib';
import { proto, type SignalKeyStore } from 'baileys';
import { encodedField, type Fields, ProtobufStream, type Shape } from '../../library/protobuf-stream.ts';
import { readBesideKeys, writeBesideKeys } from '../../library/signal-keys.ts';
import { wantedOfHistory } from './read-history.ts';

type Notification = proto.Message.IHistorySyncNotification;

/** A piece of history that has arrived and is still to be read. */
interface PendingPiece {
  /** The encoded notification: the piece itself, without its messages, if it is small; else where it lies and its key. */
  readonly notification: Uint8Array;
  /** How often it could not be read. */
  readonly failures: number;
}

const { HistorySyncType } = proto.Message;
/** The kinds of history that contain what is needed. The others contain only messages. */
const readTypes = new Set([HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.RECENT, HistorySyncType.PUSH_NAME]);
/** Limits of the record. A piece that does not fit is only read while its connection lasts. */
const mostPieces = 64;
const mostBytes = 1024 * 1024;
const mostFailures = 5;
/** The largest size of a piece that came inside its notification, inflated. */
const mostInflatedBytes = 16 * 1024 * 1024;

/** The notification of a piece of history in a message of the phone; null when there is none, or of a piece that is not read. */
export function notificationIn(message: proto.IMessage | null | undefined): Notification | null {
  const notification = message?.protocolMessage?.historySyncNotification;
  return notification?.syncType != null && readTypes.has(notification.syncType) ? notification : null;
}

/**
 * Stores the piece of history in a decrypted message, so that it can be read later. The phone sends a piece once, and the network delivers it no more
 * after it was acknowledged. Must be called in turn with all other changes of the link's SignalSessions, as must `settle`.
 */
export async function storePiece(content: proto.IMessage, keys: SignalKeyStore): Promise<void> {
  const arrived = notificationIn(content);
  if (arrived === null) return;
  const pieces = await pendingPieces(keys);
  const notification = encoded(arrived);
  const bytes = pieces.reduce((sum, piece) => sum + piece.notification.length, notification.length);
  if (pieces.length >= mostPieces || bytes > mostBytes || pieces.some((piece) => isSame(piece, notification))) return;
  await store(keys, [...pieces, { notification, failures: 0 }]);
}

/** The pieces that are still to be read, in the order in which they arrived. */
export async function pendingPieces(keys: SignalKeyStore): Promise<readonly PendingPiece[]> {
  return ((await readBesideKeys(keys, 'waiting-history')) ?? []) as readonly PendingPiece[];
}

export function notificationOf({ notification }: PendingPiece): Notification {
  return proto.Message.HistorySyncNotification.decode(notification);
}

/** Removes a piece that was read, or could not be read too many times. Answers whether it still waits. */
export async function settle(keys: SignalKeyStore, notification: Notification, outcome: 'read' | 'failed'): Promise<boolean> {
  const pieces = await pendingPieces(keys);
  const bytes = encoded(notification);
  const piece = pieces.find((pending) => isSame(pending, bytes));
  if (piece === undefined) return false;
  const failures = piece.failures + 1;
  const waits = outcome === 'failed' && failures < mostFailures;
  const others = pieces.filter((pending) => pending !== piece);
  await store(keys, waits ? [...others, { ...piece, failures }] : others);
  return waits;
}

function store(keys: SignalKeyStore, pieces: readonly PendingPiece[]): Promise<void> {
  return writeBesideKeys(keys, 'waiting-history', pieces.length === 0 ? null : pieces);
}

function encoded(notification: Notification): Uint8Array {
  const inline = notification.initialHistBootstrapInlinePayload;
  const stored = inline?.length ? { ...notification, initialHistBootstrapInlinePayload: wantedOf(inline) } : notification;
  return proto.Message.HistorySyncNotification.encode(stored).finish();
}

/** Of the piece only what is read: what people wrote is never stored. null when it is malformed. */
function wantedOf(piece: Uint8Array): Uint8Array | null {
  const parts: Uint8Array[] = [];
  const collected = ([field, shape]: [string, Shape]) => {
    const done = (fields: Fields) => void parts.push(encodedField(Number(field), fields.encoded()));
    return [field, { ...shape, done }] as const;
  };
  const within = Object.fromEntries(Object.entries(wantedOfHistory.within).map(collected));
  const stream = new ProtobufStream({ ...wantedOfHistory, within, done: (fields) => void parts.push(fields.encoded()) });
  try {
    stream.push(inflateSync(piece, { maxOutputLength: mostInflatedBytes }));
    stream.end();
  } catch {
    return null;
  }
  return deflateSync(Buffer.concat(parts));
}

function isSame(piece: PendingPiece, notification: Uint8Array): boolean {
  return Buffer.compare(piece.notification, notification) === 0;
}
