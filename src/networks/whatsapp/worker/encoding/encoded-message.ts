import type { BinaryNode, proto } from 'baileys';
import type { MediaFacts } from '../../../index.ts';

/** A message in WhatsApp's own format, and what else its stanza must contain. */
export interface WhatsAppMessage {
  readonly message: proto.IMessage;
  /** The stanza's `type`. */
  readonly type: 'text' | 'media' | 'poll' | 'reaction';
  /** The `mediatype` of the encrypted part. */
  readonly mediaType?: 'image' | 'video' | 'gif' | 'document' | 'ptt' | 'sticker' | 'vcard' | 'contact_array';
  /** If set, a recipient who cannot decrypt it sees nothing instead of a notice. */
  readonly hiddenWhenUndecryptable?: true;
  /** Further nodes of the stanza, which the network itself reads. */
  readonly nodes?: readonly BinaryNode[];
}

/** What an encoder needs besides the content. */
export interface WhatsAppContext {
  /** The chat, as a JID. */
  readonly chat: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** 32 random bytes, with which answers to this message are encrypted. */
  readonly secret: Uint8Array;
  /** Refers to the quoted message and holds the chat's timer; null when there is neither. */
  readonly contextInfo: proto.IContextInfo | null;
  /** The uploaded file of a media kind. */
  readonly media: WhatsAppMedia | null;
}

/** A file on the network's media server. The fields are named as in the protocol. */
export interface WhatsAppMedia extends MediaFacts {
  readonly uploaded: {
    readonly url: string;
    readonly directPath: string;
    readonly mediaKey: Uint8Array;
    /** Epoch seconds. */
    readonly mediaKeyTimestamp: number;
    readonly fileSha256: Uint8Array;
    readonly fileEncSha256: Uint8Array;
    readonly fileLength: number;
  };
  readonly mimetype: string;
}
