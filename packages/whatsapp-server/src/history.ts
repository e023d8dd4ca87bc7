import { deflateSync } from 'node:zlib';
import { proto } from 'baileys';
import { lidJid, numberJid } from './jids.ts';
import type { MediaStore } from './media-store.ts';

/** A piece of the history that a phone sends a companion. */
export interface HistoryPiece {
  readonly salt?: Uint8Array;
  readonly conversations?: readonly {
    readonly number: string;
    readonly lid: string;
    readonly token?: { readonly bytes: Uint8Array; readonly at: number };
    /** The timer of the chat's disappearing messages, in seconds, and when it was set (epoch seconds). */
    readonly timer?: { readonly expiration: number; readonly setAt: number };
  }[];
  readonly names?: readonly { readonly number: string; readonly name: string }[];
}

/** The encoded piece (HistorySync) before it is deflated. */
export function encodeHistory({ salt, conversations = [], names = [] }: HistoryPiece): Buffer {
  const known = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: conversations.map(({ number, lid, token, timer }) => ({
      id: lidJid(lid),
      pnJid: numberJid(number),
      messages: [{ message: { key: { remoteJid: lidJid(lid), fromMe: false, id: '3A00' }, message: { conversation: 'An old secret' } } }],
      ...(timer ? { ephemeralExpiration: timer.expiration, ephemeralSettingTimestamp: timer.setAt } : {}),
      ...(token ? { tcToken: token.bytes, tcTokenTimestamp: token.at } : {}),
    })),
    pushnames: names.map(({ number, name }) => ({ id: numberJid(number), pushname: name })),
    phoneNumberToLidMappings: conversations.map(({ number, lid }) => ({ pnJid: numberJid(number), lidJid: lidJid(lid) })),
  }).finish();
  // The library's own schema does not know field 19 (nctSalt).
  const more = salt ? [Buffer.from([0x9a, 0x01, salt.length]), salt] : [];
  return Buffer.concat([known, ...more]);
}

/** The message with a piece that is small enough to be included. */
export function inlineHistory(piece: HistoryPiece): proto.IMessage {
  return notification({ initialHistBootstrapInlinePayload: deflateSync(encodeHistory(piece)) });
}

/** The message that refers to a piece on the media server. */
export async function historyBlob(piece: HistoryPiece, media: MediaStore): Promise<proto.IMessage> {
  return notification(await media.keepEncrypted(deflateSync(encodeHistory(piece)), 'md-msg-hist'));
}

function notification(where: proto.Message.IHistorySyncNotification): proto.IMessage {
  const syncType = proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP;
  const type = proto.Message.ProtocolMessage.Type.HISTORY_SYNC_NOTIFICATION;
  return { protocolMessage: { type, historySyncNotification: { syncType, ...where } } };
}
