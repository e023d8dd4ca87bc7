import { GatewayError } from '../../core/index.ts';
import type { MessageType } from '../../kinds/index.ts';
import { eachOf, type Fields, fieldAt, fieldsOf, given, linkIn, phoneNumberIn } from './fields.ts';

/** How the body of one path of Evolution API becomes that of an endpoint. */
export interface Send {
  /** null: the body names it. */
  readonly kind: MessageType | null;
  /** Where version 1 has the fields, in place of the body itself. */
  readonly nested: string;
  /** Our field, and the path of theirs. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names within the items of a list, likewise. */
  readonly within?: Readonly<Record<string, string>>;
  /** What more is to be done with the body. */
  readonly change?: (body: Fields, theirs: Fields) => Fields;
}

const recipient = { to: 'number' };
const reply = { quoted_message_id: 'quoted.key.id', quoted_from_me: 'quoted.key.fromMe' };
const everySend = { ...recipient, ...reply };

/** The kinds of files by `mediatype`. */
const mediaKinds: Readonly<Record<string, MessageType>> = { image: 'image', video: 'video', document: 'document', audio: 'audio' };

/** The paths that send, as POST /message/{path}/{instance}. docs/evolution.md shows this table to people. */
export const sends = {
  sendText: { kind: 'text', nested: 'textMessage', fields: { ...everySend, text: 'text' } },
  sendMedia: {
    kind: null,
    nested: 'mediaMessage',
    fields: { ...everySend, url: 'media', caption: 'caption', mime_type: 'mimetype', filename: 'fileName' },
  },
  sendWhatsAppAudio: { kind: 'audio', nested: 'audioMessage', fields: { ...everySend, url: 'audio' } },
  sendSticker: {
    kind: 'sticker',
    nested: 'stickerMessage',
    fields: { ...everySend, url: 'sticker' },
    change: (body, { image }) => ({ url: image, ...body }),
  },
  sendLocation: {
    kind: 'location',
    nested: 'locationMessage',
    fields: { ...everySend, latitude: 'latitude', longitude: 'longitude', name: 'name', address: 'address' },
  },
  sendContact: {
    kind: 'contact',
    nested: 'contactMessage',
    fields: { ...everySend, contacts: 'contact' },
    within: { full_name: 'fullName', phone_number: 'phoneNumber' },
    change: (body) => ({ ...body, contacts: eachOf(body.contacts, card) }),
  },
  sendReaction: {
    kind: 'reaction',
    nested: 'reactionMessage',
    fields: { to: 'key.remoteJid', message_id: 'key.id', from_me: 'key.fromMe', emoji: 'reaction' },
    // An empty one removes an earlier reaction.
    change: (body, { reaction }) => ({ ...body, emoji: reaction }),
  },
  sendPoll: {
    kind: 'poll',
    nested: 'pollMessage',
    fields: { ...everySend, question: 'name', options: 'values', selectable_count: 'selectableCount' },
    change: anyNumberOfOptions,
  },
  sendButtons: {
    kind: 'buttons',
    nested: 'buttonMessage',
    fields: { ...everySend, title: 'title', description: 'description', footer: 'footer', buttons: 'buttons' },
    within: { text: 'displayText', phone_number: 'phoneNumber' },
    change: (body, { footerText }) => ({ footer: given(footerText), ...body, buttons: eachOf(body.buttons, button) }),
  },
  sendList: {
    kind: 'list',
    nested: 'listMessage',
    fields: {
      ...everySend,
      ...{ title: 'title', description: 'description', button_text: 'buttonText', footer_text: 'footerText', sections: 'sections' },
    },
    within: { row_id: 'rowId' },
    change: (body, { values }) => ({ ...body, sections: eachOf(body.sections ?? values, section) }),
  },
} as const satisfies Readonly<Record<string, Send>>;

/** `wuid` is the number with its country code. `phoneNumber` is what the card shows there, often without one. */
function card({ fullName, wuid, phoneNumber, organization, email, url }: Fields): Fields {
  const number = phoneNumberIn(given(wuid) ?? phoneNumber, 'phoneNumber');
  return { full_name: fullName, phone_number: number, organization: given(organization), email: given(email), url: given(url) };
}

/** Version 1 has `buttonId` and `buttonText`, and replies only; the documentation of version 2 calls the text `title`. */
function button({ type = 'reply', displayText, title, buttonText, id, buttonId, url, phoneNumber }: Fields): Fields {
  return { type, text: displayText ?? title ?? buttonText, id: id ?? buttonId, url, phone_number: phoneNumber };
}

function section({ title, rows }: Fields): Fields {
  return { title, rows: eachOf(rows, (row) => ({ title: row.title, description: given(row.description), row_id: row.rowId })) };
}

/** 0 stands for as many as one likes. */
function anyNumberOfOptions(body: Fields): Fields {
  const { options, selectable_count: count } = body;
  return count === 0 && Array.isArray(options) ? { ...body, selectable_count: options.length } : body;
}

/** The fields of a body, wherever the version that it was written for has them. */
function theirFields({ nested }: Send, body: Fields): Fields {
  const inside = body[nested];
  // Only contact cards are a list.
  return { ...fieldsOf(body.options), ...body, ...(Array.isArray(inside) ? { contact: inside } : fieldsOf(inside)) };
}

/** The kind that a body asks for, and the body of its endpoint. Throws GatewayError, in the endpoint's words, for what no endpoint can do. */
export function translated(send: Send, body: Fields): { readonly kind: MessageType; readonly body: Fields } {
  const theirs = theirFields(send, body);
  const ours: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(send.fields)) {
    const value = given(fieldAt(theirs, path));
    if (value !== undefined) ours[name] = value;
  }
  ours.to = phoneNumberIn(ours.to, 'to');
  const changed = send.change?.(ours, theirs) ?? ours;
  return { kind: send.kind ?? kindOf(theirs), body: 'url' in changed ? { ...changed, url: linkIn(changed.url) } : changed };
}

function kindOf({ mediatype }: Fields): MessageType {
  const kind = Object.entries(mediaKinds).find(([name]) => name === mediatype)?.[1];
  if (kind !== undefined) return kind;
  throw new GatewayError('invalid_request', `mediatype must be one of ${Object.keys(mediaKinds).join(', ')}.`, { field: 'mediatype' });
}

/** Their name for each of our fields. */
export function namesOf({ fields, within = {} }: Send): Readonly<Record<string, string>> {
  return { ...fields, ...within };
}

/** The recipient as the body names it. */
export function recipientIn(send: Send, body: unknown): unknown {
  return fieldAt(theirFields(send, fieldsOf(body)), send.fields.to ?? recipient.to);
}
