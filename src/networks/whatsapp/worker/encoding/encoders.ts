import type { Content, Contents, MessageType } from '../../../../kinds/index.ts';
import type { WhatsAppContext, WhatsAppMessage } from './encoded-message.ts';
import { buttons, list } from './interactive.ts';
import { audio, document, image, sticker, video } from './media.ts';
import { vcard } from './vcard.ts';

/** How each kind is encoded: a pure function of its content and the context. A kind that is missing here does not compile. */
const encoders: { readonly [Type in MessageType]: (content: Contents[Type], context: WhatsAppContext) => WhatsAppMessage } = {
  // Plain text has no place to name a quoted message; there is never a link preview, which would fetch what a caller names.
  text: ({ text }, { contextInfo }) => ({
    message: contextInfo === null ? { conversation: text } : { extendedTextMessage: { text, contextInfo } },
    type: 'text',
  }),
  image,
  document,
  video,
  audio,
  sticker,
  location: ({ latitude, longitude, name, address }, { contextInfo }) => ({
    message: {
      locationMessage: {
        degreesLatitude: latitude,
        degreesLongitude: longitude,
        ...(name === '' ? {} : { name }),
        ...(address === '' ? {} : { address }),
        contextInfo,
      },
    },
    type: 'text',
  }),
  contact({ contacts }, { contextInfo }) {
    const cards = contacts.map((one) => ({ displayName: one.full_name, vcard: vcard(one) }));
    const [only] = cards;
    if (cards.length === 1 && only !== undefined) {
      return { message: { contactMessage: { ...only, contextInfo } }, type: 'media', mediaType: 'vcard' };
    }
    const displayName = `${cards.length} contacts`;
    return { message: { contactsArrayMessage: { displayName, contacts: cards, contextInfo } }, type: 'media', mediaType: 'contact_array' };
  },
  poll({ question, options, selectable_count }, { secret, contextInfo }) {
    const creation = {
      name: question,
      options: options.map((optionName) => ({ optionName })),
      selectableOptionsCount: selectable_count,
      contextInfo,
    };
    return {
      message: {
        // Phones draw the one-answer form with round marks and let a vote be changed.
        ...(selectable_count === 1 ? { pollCreationMessageV3: creation } : { pollCreationMessage: creation }),
        messageContextInfo: { messageSecret: secret },
      },
      type: 'poll',
      nodes: [{ tag: 'meta', attrs: { polltype: 'creation' } }],
    };
  },
  reaction: ({ message_id, emoji, from_me }, { chat, now }) => ({
    message: { reactionMessage: { key: { remoteJid: chat, fromMe: from_me, id: message_id }, text: emoji, senderTimestampMs: now } },
    type: 'reaction',
    hiddenWhenUndecryptable: true,
  }),
  buttons,
  list,
};

/** The canonical content of a kind in WhatsApp's own form. Throws when a media kind comes without its file. */
export function encode(type: MessageType, content: Content, context: WhatsAppContext): WhatsAppMessage {
  // Content was made by the kind of this type, also when it went to another thread in between.
  const encoder = encoders[type] as (content: Content, context: WhatsAppContext) => WhatsAppMessage;
  return encoder(content, context);
}
