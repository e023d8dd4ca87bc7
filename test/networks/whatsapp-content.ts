import { createHash } from 'node:crypto';
import type { proto } from 'baileys';
import { lidOf, type Person, type ReceivedMessage } from 'whatsapp-test-server';
import type { MessageType } from '../../src/kinds/index.ts';
import type { Received } from './fixture.ts';

/** What a person's phone decrypted of what others sent it, oldest first, as the sandbox would show it. */
export async function receivedBy(person: Person): Promise<Received[]> {
  const received = await person.received();
  return Promise.all(received.filter(({ to }) => to === person.number).map(canonical));
}

/** A message that a person's phone decrypted, in the canonical content of its kind: what the sandbox would show of the same send. */
export async function canonical(received: ReceivedMessage): Promise<Received> {
  const { type, own, media, contextInfo } = parts(received.message);
  const file = media === null ? {} : await fileOf(received, media.mimetype ?? '');
  const stanzaId = contextInfo?.stanzaId;
  return {
    message_id: received.id,
    from: received.from,
    to: received.to,
    type,
    content: { ...own, ...file },
    quoted: stanzaId == null ? null : { message_id: stanzaId, from_me: contextInfo?.participant === `${lidOf(received.from)}@lid` },
  };
}

interface Parts {
  readonly type: MessageType;
  readonly own: Record<string, unknown>;
  readonly media: { readonly mimetype?: string | null } | null;
  readonly contextInfo: proto.IContextInfo | null | undefined;
}

/** Exactly one of the forms that the kinds are sent in; anything else is an error. */
function parts(wrapped: proto.IMessage): Parts {
  const message = wrapped.documentWithCaptionMessage?.message ?? wrapped;
  const { extendedTextMessage, imageMessage, videoMessage, audioMessage, stickerMessage, documentMessage } = message;
  if (message.conversation) return plain('text', { text: message.conversation }, null);
  if (extendedTextMessage) return plain('text', { text: extendedTextMessage.text }, extendedTextMessage.contextInfo);
  if (imageMessage) return withFile('image', caption(imageMessage.caption), imageMessage);
  if (videoMessage) return withFile('video', caption(videoMessage.caption), videoMessage);
  if (audioMessage) {
    if (audioMessage.ptt !== true) throw new Error('an audio file that is no voice note');
    return withFile('audio', {}, audioMessage);
  }
  if (stickerMessage) return withFile('sticker', {}, stickerMessage);
  if (documentMessage)
    return withFile('document', { filename: documentMessage.fileName, ...caption(documentMessage.caption) }, documentMessage);
  return withoutFile(message);
}

function withoutFile(message: proto.IMessage): Parts {
  const { locationMessage, contactMessage, contactsArrayMessage, reactionMessage, interactiveMessage } = message;
  if (locationMessage) {
    const { degreesLatitude: latitude, degreesLongitude: longitude, name, address, contextInfo } = locationMessage;
    return plain('location', { latitude, longitude, name: name ?? '', address: address ?? '' }, contextInfo);
  }
  if (contactMessage) return plain('contact', { contacts: [card(contactMessage)] }, contactMessage.contextInfo);
  if (contactsArrayMessage)
    return plain('contact', { contacts: contactsArrayMessage.contacts?.map(card) }, contactsArrayMessage.contextInfo);
  const poll = message.pollCreationMessageV3 ?? message.pollCreationMessage;
  if (poll) {
    if (message.messageContextInfo?.messageSecret?.length !== 32) throw new Error('a poll without the secret of its votes');
    const options = poll.options?.map(({ optionName }) => optionName);
    return plain('poll', { question: poll.name, options, selectable_count: poll.selectableOptionsCount }, poll.contextInfo);
  }
  if (reactionMessage) {
    const { key, text } = reactionMessage;
    return plain('reaction', { message_id: key?.id, emoji: text, from_me: key?.fromMe }, null);
  }
  if (interactiveMessage) return interactive(interactiveMessage);
  throw new Error(`a message in an unknown form: ${Object.keys(message).join(', ')}`);
}

function plain(type: MessageType, own: Record<string, unknown>, contextInfo: proto.IContextInfo | null | undefined): Parts {
  return { type, own, media: null, contextInfo };
}

function withFile(
  type: MessageType,
  own: Record<string, unknown>,
  media: { mimetype?: string | null; contextInfo?: proto.IContextInfo | null },
): Parts {
  return { type, own, media, contextInfo: media.contextInfo };
}

function caption(text: string | null | undefined): { caption?: string } {
  return text ? { caption: text } : {};
}

async function fileOf(received: ReceivedMessage, mimeType: string) {
  const bytes = await received.media();
  return { mime_type: mimeType, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function interactive({ header, body, footer, nativeFlowMessage, contextInfo }: proto.Message.IInteractiveMessage): Parts {
  const words = header?.title ? { title: header.title, description: body?.text } : { title: body?.text };
  const buttons = (nativeFlowMessage?.buttons ?? []).map(({ name, buttonParamsJson }) => ({
    name,
    parameters: JSON.parse(buttonParamsJson ?? '{}') as Record<string, unknown>,
  }));
  const [first] = buttons;
  if (first?.name === 'single_select') {
    const sections = first.parameters.sections as { title: string; rows: { id: string; title: string; description: string }[] }[];
    const own = {
      ...words,
      button_text: first.parameters.title,
      ...(footer?.text ? { footer_text: footer.text } : {}),
      sections: sections.map(({ title, rows }) => ({
        title,
        rows: rows.map((row) => ({
          title: row.title,
          row_id: row.id,
          ...(row.description === '' ? {} : { description: row.description }),
        })),
      })),
    };
    return plain('list', own, contextInfo);
  }
  return plain('buttons', { ...words, ...(footer?.text ? { footer: footer.text } : {}), buttons: buttons.map(button) }, contextInfo);
}

function button({ name, parameters }: { name: string | null | undefined; parameters: Record<string, unknown> }) {
  const text = parameters.display_text;
  switch (name) {
    case 'quick_reply':
      return { type: 'reply', text, id: parameters.id };
    case 'cta_url':
      return { type: 'url', text, url: parameters.url };
    case 'cta_call':
      return { type: 'call', text, phone_number: String(parameters.phone_number).replace(/^\+/, '') };
    default:
      throw new Error(`an unknown button: ${name}`);
  }
}

/** Reads a vCard as a phone does: unfolded, one property per line, escapes undone. */
function card({ vcard }: proto.Message.IContactMessage): Record<string, string> {
  const lines = (vcard ?? '').replaceAll('\r\n ', '').split('\r\n');
  if (lines[0] !== 'BEGIN:VCARD' || lines[1] !== 'VERSION:3.0' || lines.at(-2) !== 'END:VCARD') throw new Error('not a vCard 3.0');
  const values = new Map(lines.map((line) => [line.slice(0, line.search(/[:;]/)), line.slice(line.indexOf(':') + 1)]));
  const fields = { full_name: 'FN', organization: 'ORG', email: 'EMAIL', url: 'URL' };
  const found: Record<string, string> = { phone_number: (values.get('TEL') ?? '').replace(/^\+/, '') };
  for (const [field, property] of Object.entries(fields)) {
    const value = values.get(property);
    if (value !== undefined) found[field] = value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
  }
  return found;
}
