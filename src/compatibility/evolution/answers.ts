import type { MessageType } from '../../kinds/index.ts';
import { eachOf, type Fields } from './fields.ts';

/** The id of the chat with a person. */
export function chatId(phoneNumber: unknown): string {
  return `${phoneNumber}@s.whatsapp.net`;
}

const file = ({ url, caption, mime_type: mimetype }: Fields) => ({ url, caption, mimetype });

/** A sent message under the names of WhatsApp's own messages, as far as its body has it. */
const contents: { readonly [Type in MessageType]: (body: Fields) => Fields } = {
  text: ({ text }) => ({ conversation: text }),
  image: (body) => ({ imageMessage: file(body) }),
  video: (body) => ({ videoMessage: file(body) }),
  document: (body) => ({ documentMessage: { ...file(body), fileName: body.filename } }),
  audio: ({ url }) => ({ audioMessage: { url, ptt: true } }),
  sticker: ({ url }) => ({ stickerMessage: { url } }),
  location: ({ latitude, longitude, name, address }) => ({
    locationMessage: { degreesLatitude: latitude, degreesLongitude: longitude, name, address },
  }),
  contact: ({ contacts }) => contactContent(eachOf(contacts, ({ full_name }) => ({ displayName: full_name }))),
  reaction: ({ to, message_id: id, from_me: fromMe = false, emoji: text }) => ({
    reactionMessage: { key: { remoteJid: chatId(to), fromMe, id }, text },
  }),
  poll: ({ question: name, options, selectable_count: selectableOptionsCount = 1 }) => ({
    pollCreationMessage: {
      name,
      options: Array.isArray(options) ? options.map((optionName) => ({ optionName })) : [],
      selectableOptionsCount,
    },
  }),
  buttons: ({ title, description, footer }) => ({ interactiveMessage: { header: { title }, body: { text: description }, footer } }),
  list: ({ title, description, button_text: buttonText, footer_text: footerText }) => ({
    listMessage: { title, description, buttonText, footerText },
  }),
};

function contactContent(contacts: unknown): Fields {
  return Array.isArray(contacts) && contacts.length === 1 ? { contactMessage: contacts[0] } : { contactsArrayMessage: { contacts } };
}

/** The answer to a send, from the endpoint's and the body that it was given. */
export function sentView({ to, message_id: id, instance_id: instanceId }: Fields, kind: MessageType, body: Fields, now: number): Fields {
  const message = contents[kind]({ ...body, to });
  return {
    key: { remoteJid: chatId(to), fromMe: true, id },
    status: 'PENDING',
    message,
    messageType: Object.keys(message)[0],
    messageTimestamp: Math.floor(now / 1000),
    instanceId,
    source: 'unknown',
  };
}

/** An item of fetchInstances: as version 2 writes it and, under `instance`, as version 1 does. */
export function instanceView({ instance_id: id, label, status, phone_number: number, created_at: createdAt }: Fields): Fields {
  const name = label ?? id;
  const ownerJid = number === null ? null : chatId(number);
  return {
    ...{ id, name, connectionStatus: status, ownerJid, profileName: null, profilePicUrl: null, integration, number, createdAt },
    instance: { instanceName: name, instanceId: id, owner: ownerJid, status },
  };
}

/** What an instance is connected by, in their words. */
export const integration = 'WHATSAPP-BAILEYS';
