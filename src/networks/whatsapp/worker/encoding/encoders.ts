import type { Content, Contents, MessageType } from '../../../../kinds/index.ts';
import type { WhatsAppContext, WhatsAppMessage } from './encoded-message.ts';
import { buttons, list } from './interactive.ts';
import { audio, document, image, sticker, video } from './media.ts';
import { vcard } from './vcard.ts';

/** The encoder of each kind: a pure function of the content and the context. A missing kind is a compile error. */
const encoders: { readonly [Type in MessageType]: (content: Contents[Type], context: WhatsAppContext) => WhatsAppMessage } = {
  // A plain `conversation` cannot quote a message. No link preview is ever made, because that would fetch an address chosen by the caller.
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
        // With the single-answer form, phones show round marks and let people change their vote.
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

/** Encodes a kind's canonical content in WhatsApp's own format. Throws when a media kind comes without its file. */
export function encode(type: MessageType, content: Content, context: WhatsAppContext): WhatsAppMessage {
  // The content belongs to this type, even if it has passed between threads in between.
  const encoder = encoders[type] as (content: Content, context: WhatsAppContext) => WhatsAppMessage;
  return encoder(content, context);
}
