import type { BinaryNode, proto } from 'baileys';

/** A message in WhatsApp's own form, with what its stanza must say besides. */
export interface WhatsAppMessage {
  readonly message: proto.IMessage;
  /** `type` of the stanza. */
  readonly type: 'text' | 'media' | 'poll' | 'reaction';
  /** `mediatype` of what is encrypted. */
  readonly mediaType?: 'image' | 'video' | 'document' | 'ptt' | 'sticker' | 'vcard' | 'contact_array';
  /** A recipient who cannot decrypt it sees nothing instead of a notice. */
  readonly hiddenWhenUndecryptable?: true;
  /** Nodes beside the encrypted content, read by the network itself. */
  readonly nodes?: readonly BinaryNode[];
}

/** What an encoder needs to know besides the content. */
export interface WhatsAppContext {
  /** The chat, as a JID. */
  readonly chat: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** 32 random bytes, with which answers to this message are encrypted. */
  readonly secret: Uint8Array;
  /** Names the quoted message; null when nothing is quoted. */
  readonly contextInfo: proto.IContextInfo | null;
  /** The uploaded file of a media kind. */
  readonly media: WhatsAppMedia | null;
}

/** A file as it lies on the network's media server. The fields have the names of the protocol. */
export interface WhatsAppMedia {
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
  /** What the recipient's app shows before the download; absent where unknown. */
  readonly width?: number;
  readonly height?: number;
  readonly thumbnail?: Uint8Array;
  readonly durationSeconds?: number;
  readonly waveform?: Uint8Array;
  readonly pageCount?: number;
  readonly animated?: boolean;
}

/** The uploaded file of a media kind. Throws when there is none, which the pipeline excludes. */
export function mediaOf({ media }: WhatsAppContext): WhatsAppMedia {
  if (media === null) throw new Error('a media kind was encoded without its file');
  return media;
}

/** The picture and its size in pixels, as far as they are known. */
export function preview({ width, height, thumbnail }: WhatsAppMedia) {
  return {
    ...(width === undefined || height === undefined ? {} : { width, height }),
    ...(thumbnail === undefined ? {} : { jpegThumbnail: thumbnail }),
  };
}

/** A message with things to press, made of named buttons and their parameters. */
export function interactive(
  { title, description, footer }: { title: string; description?: string | undefined; footer?: string | undefined },
  buttons: readonly { name: string; parameters: object }[],
  { contextInfo, now }: WhatsAppContext,
): WhatsAppMessage {
  // A body must not be empty, so a title that stands alone is the body.
  const text = description ? { header: { title, hasMediaAttachment: false }, body: { text: description } } : { body: { text: title } };
  return {
    message: {
      interactiveMessage: {
        ...text,
        ...(footer ? { footer: { text: footer } } : {}),
        nativeFlowMessage: {
          buttons: buttons.map(({ name, parameters }) => ({ name, buttonParamsJson: JSON.stringify(parameters) })),
          messageVersion: 1,
        },
        contextInfo,
      },
    },
    type: 'text',
    nodes: [interactiveNode(now)],
  };
}

/** Without this node the network accepts an interactive message, but phones do not draw it. */
function interactiveNode(now: number): BinaryNode {
  return {
    tag: 'biz',
    attrs: { actual_actors: '2', host_storage: '2', privacy_mode_ts: String(Math.floor(now / 1000)) },
    content: [
      {
        tag: 'interactive',
        attrs: { type: 'native_flow', v: '1' },
        content: [{ tag: 'native_flow', attrs: { v: '9', name: 'mixed' } }],
      },
      { tag: 'quality_control', attrs: { source_type: 'third_party' } },
    ],
  };
}
