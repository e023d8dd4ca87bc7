import { randomBytes } from 'node:crypto';
import type { Agent } from 'node:https';
import { allKinds, type MediaUse } from '../../../../kinds/index.ts';
import type { MediaFile, OutgoingMessage } from '../../../index.ts';
import type { WhatsAppContext, WhatsAppMedia, WhatsAppMessage } from '../encoding/encoded-message.ts';
import { encode } from '../encoding/encoders.ts';
import { withReportingSecret } from '../library/reporting-token.ts';
import type { ChatTimer, ChatTimers } from './chat-timers.ts';
import type { LinkMemory } from './link-memory.ts';
import type { UploadType } from './media-transfer/upload.ts';
import type { Recipient, Recipients } from './recipients.ts';
import { reportingOf } from './reporting.ts';
import type { SendingSocket } from './socket.ts';

const mediaUses = new Map(allKinds.map(({ type, media }) => [type, media?.as]));
const uploadTypes: Readonly<Record<MediaUse, UploadType>> = {
  image: 'image',
  video: 'video',
  document: 'document',
  voice: 'audio',
  sticker: 'sticker',
};
interface ComposerOptions {
  readonly sock: SendingSocket;
  readonly memory: Pick<LinkMemory, 'uploads'>;
  readonly recipients: Pick<Recipients, 'ownJid'>;
  readonly timers: Pick<ChatTimers, 'of'>;
  /** The agent for connections to the media servers; null for Node's own. */
  readonly agent: Agent | null;
}

/** Makes WhatsApp messages: uploads the file, encodes the content with the chat's timer, and adds the reporting token. */
export class Composer {
  readonly #options: ComposerOptions;

  constructor(options: ComposerOptions) {
    this.#options = options;
  }

  /** Uploads the file of a message, unless it is still there from an earlier one; null for a message without a file. */
  async uploaded({ type, media }: OutgoingMessage): Promise<WhatsAppMedia | null> {
    const { sock, memory, agent } = this.#options;
    const use = mediaUses.get(type);
    if (media === null || use === undefined) return null;
    const place = await memory.uploads.get(
      { sock, agent: agent ?? undefined },
      media,
      media.facts?.looping === true ? 'video' : uploadTypes[use],
    );
    return { uploaded: place, mimetype: media.mimeType, ...factsOf(media) };
  }

  /** The message for this recipient. `media` is the result of `uploaded`. */
  async message(message: OutgoingMessage, to: Recipient, media: WhatsAppMedia | null): Promise<WhatsAppMessage> {
    const secret = randomBytes(32);
    const encoded = this.#encoded(message, to, media, { secret, timer: await this.#options.timers.of(to.person) });
    const secured = withReportingSecret(encoded.message, secret);
    const reporting = await reportingOf(message.messageId, secured, this.#options.recipients.ownJid(to.space), to.jid);
    return { ...encoded, message: secured, nodes: [...(encoded.nodes ?? []), ...(reporting === null ? [] : [reporting])] };
  }

  #encoded(
    { type, content, quoted }: OutgoingMessage,
    { jid, space }: Recipient,
    media: WhatsAppMedia | null,
    { secret, timer }: { readonly secret: Uint8Array; readonly timer: ChatTimer | null },
  ): WhatsAppMessage {
    const reply = quoted && {
      stanzaId: quoted.messageId,
      participant: quoted.fromMe ? this.#options.recipients.ownJid(space) : jid,
      // The recipient's app shows its own copy; the text of the quoted message is not known here.
      quotedMessage: { conversation: '' },
    };
    const disappearing = timer && {
      expiration: timer.expiration,
      ...(timer.setAt === 0 ? {} : { ephemeralSettingTimestamp: timer.setAt }),
    };
    const contextInfo: WhatsAppContext['contextInfo'] = reply || disappearing ? { ...reply, ...disappearing } : null;
    return encode(type, content, { chat: jid, now: Date.now(), secret, contextInfo, media });
  }
}

function factsOf({ facts }: MediaFile) {
  if (facts === undefined) return {};
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as typeof facts;
}
