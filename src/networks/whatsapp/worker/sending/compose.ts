import { randomBytes } from 'node:crypto';
import { allKinds, type MediaUse } from '../../../../kinds/index.ts';
import type { OutgoingMessage } from '../../../index.ts';
import type { WhatsAppContext, WhatsAppMedia, WhatsAppMessage } from '../encoding/encoded-message.ts';
import { encode } from '../encoding/encoders.ts';
import { reportingNode, withReportingSecret } from '../library/reporting-token.ts';
import { timerFor } from './chat-timers.ts';
import type { Wire } from './link-memory.ts';
import type { UploadType } from './media-transfer/upload.ts';
import { nameOf, type Recipient, type Space, type Unreachable } from './people.ts';
import type { Recipients } from './recipients.ts';
import type { Ready } from './stanza.ts';
import type { Tctokens } from './tctoken.ts';

const mediaUses = new Map(allKinds.map(({ type, media }) => [type, media?.as]));
const uploadTypes: Readonly<Record<MediaUse, UploadType>> = {
  image: 'image',
  video: 'video',
  document: 'document',
  voice: 'audio',
  sticker: 'sticker',
};

/** Makes messages ready for encryption: finds the recipient's devices, uploads the file, encodes the content. */
export class Composer {
  readonly #wire: Wire;
  readonly #recipients: Recipients;
  readonly #tctokens: Tctokens;

  constructor(wire: Wire, recipients: Recipients, tctokens: Tctokens) {
    this.#wire = wire;
    this.#recipients = recipients;
    this.#tctokens = tctokens;
  }

  /** The message for the devices of its recipient, in this namespace if there is an address in it. Rejects when it cannot be made. */
  compose(message: OutgoingMessage, space?: Space): Promise<Ready | Unreachable> {
    // Upload and lookup run at the same time. A recipient who cannot be reached is reported without waiting for the upload.
    const upload = this.#upload(message);
    upload.catch(() => undefined);
    return this.address(message.messageId, this.#recipients.find(message.to, space), async (recipient) =>
      this.#encode(message, recipient, await upload),
    );
  }

  /** Looks up the devices and the token for a message; `messageFor` makes it once its recipient is known. */
  async address(
    id: string,
    finding: Promise<Recipient | Unreachable>,
    messageFor: (recipient: Recipient) => WhatsAppMessage | Promise<WhatsAppMessage>,
  ): Promise<Ready | Unreachable> {
    const recipients = this.#recipients;
    // Both lookups run at the same time. If the recipient turns out to be in the other namespace, the own devices are looked up there.
    const [recipient] = await Promise.all([finding, recipients.own(recipients.space)]);
    if (typeof recipient === 'string') return recipient;
    const own = await recipients.own(recipient.space);
    return {
      id,
      recipient,
      own: own === 'no_device' ? [] : own.devices,
      message: await messageFor(recipient),
      token: await this.#tctokens.nodeFor(recipient.person),
      audience: 'all',
    };
  }

  /** Uploads the file of a message, unless it is still there from an earlier one; null for a message without a file. */
  async #upload({ type, media }: OutgoingMessage): Promise<WhatsAppMedia | null> {
    const use = mediaUses.get(type);
    if (media === null || use === undefined) return null;
    const uploaded = await this.#wire.memory.uploads.get(this.#wire, media, media.facts?.looping === true ? 'video' : uploadTypes[use]);
    const facts = Object.fromEntries(Object.entries(media.facts ?? {}).filter(([, value]) => value !== undefined));
    return { uploaded, mimetype: media.mimeType, ...facts };
  }

  async #encode(message: OutgoingMessage, { jid, space, person }: Recipient, media: WhatsAppMedia | null): Promise<WhatsAppMessage> {
    const { messageId, type, content, quoted } = message;
    const { me } = this.#recipients;
    const ownJid = me[space] ?? nameOf(me);
    const timer = await timerFor(this.#wire.sock.authState.keys, person);
    const reply = quoted && {
      stanzaId: quoted.messageId,
      participant: quoted.fromMe ? ownJid : jid,
      // The recipient's app shows its own copy; the text of the quoted message is not known here.
      quotedMessage: { conversation: '' },
    };
    const disappearing = timer && {
      expiration: timer.expiration,
      ...(timer.setAt === 0 ? {} : { ephemeralSettingTimestamp: timer.setAt }),
    };
    const contextInfo: WhatsAppContext['contextInfo'] = reply || disappearing ? { ...reply, ...disappearing } : null;
    const secret = randomBytes(32);
    const encoded = encode(type, content, { chat: jid, now: Date.now(), secret, contextInfo, media });
    const secured = withReportingSecret(encoded.message, secret);
    const reporting = await reportingNode(messageId, secured, ownJid, jid);
    return { ...encoded, message: secured, nodes: [...(encoded.nodes ?? []), ...(reporting === null ? [] : [reporting])] };
  }
}
