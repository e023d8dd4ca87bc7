import { deflateSync, inflateSync } from 'node:zlib';
import { proto, type SignalKeyStore } from 'baileys';
import { onlyFields } from '../../library/only-fields.ts';
import { readBesideKeys, writeBesideKeys } from '../../library/signal-keys.ts';
import { wantedOfHistory } from './read-history.ts';

type Notification = proto.Message.IHistorySyncNotification;

/** A piece of history that has arrived and is still to be read. */
interface WaitingPiece {
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

/** The piece of history that a message of the phone tells of; null when it tells of none that is read. */
export function historyIn(message: proto.IMessage | null | undefined): Notification | null {
  const told = message?.protocolMessage?.historySyncNotification;
  return told?.syncType != null && readTypes.has(told.syncType) ? told : null;
}

/**
 * Stores the piece of history that a decrypted message tells of, so that it can be read later. The phone sends a piece once, and the network delivers
 * it no more after it was acknowledged. Must be called in turn with all other changes of the link's SignalSessions, as must `settle`.
 */
export async function keepHistory(content: proto.IMessage, keys: SignalKeyStore): Promise<void> {
  const told = historyIn(content);
  if (told === null) return;
  const pieces = await waitingPieces(keys);
  const notification = encoded(told);
  const bytes = pieces.reduce((sum, piece) => sum + piece.notification.length, notification.length);
  if (pieces.length >= mostPieces || bytes > mostBytes || pieces.some((piece) => isSame(piece, notification))) return;
  await store(keys, [...pieces, { notification, failures: 0 }]);
}

/** The pieces that are still to be read, in the order in which they arrived. */
export async function waitingPieces(keys: SignalKeyStore): Promise<readonly WaitingPiece[]> {
  return ((await readBesideKeys(keys, 'waiting-history')) ?? []) as readonly WaitingPiece[];
}

/** The notification of a waiting piece. */
export function notificationOf({ notification }: WaitingPiece): Notification {
  return proto.Message.HistorySyncNotification.decode(notification);
}

/** Removes a piece that was read, or could not be read too many times. Answers whether it still waits. */
export async function settle(keys: SignalKeyStore, told: Notification, outcome: 'read' | 'failed'): Promise<boolean> {
  const pieces = await waitingPieces(keys);
  const notification = encoded(told);
  const piece = pieces.find((waiting) => isSame(waiting, notification));
  if (piece === undefined) return false;
  const failures = piece.failures + 1;
  const waits = outcome === 'failed' && failures < mostFailures;
  const others = pieces.filter((waiting) => waiting !== piece);
  await store(keys, waits ? [...others, { ...piece, failures }] : others);
  return waits;
}

function store(keys: SignalKeyStore, pieces: readonly WaitingPiece[]): Promise<void> {
  return writeBesideKeys(keys, 'waiting-history', pieces.length === 0 ? null : pieces);
}

function encoded(told: Notification): Uint8Array {
  const inline = told.initialHistBootstrapInlinePayload;
  const stored = inline?.length ? { ...told, initialHistBootstrapInlinePayload: wantedOf(inline) } : told;
  return proto.Message.HistorySyncNotification.encode(stored).finish();
}

/** Of the piece only what is read: what people wrote is never stored. null when it is malformed. */
function wantedOf(piece: Uint8Array): Uint8Array | null {
  try {
    return deflateSync(onlyFields(inflateSync(piece, { maxOutputLength: mostInflatedBytes }), wantedOfHistory));
  } catch {
    return null;
  }
}

function isSame(piece: WaitingPiece, notification: Uint8Array): boolean {
  return Buffer.compare(piece.notification, notification) === 0;
}
