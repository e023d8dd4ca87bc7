import { z } from 'zod';
import { defineKind } from './define-kind.ts';
import { list, mediaUrlLength, phoneNumber, text } from './fields.ts';

const label = text(1, 24).meta({ description: 'The label on the button.' });

const button = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('reply'),
      text: label,
      id: text(1, 200).meta({ description: 'Your own id for this button, unique within the message.' }),
    })
    .meta({ title: 'Reply button' }),
  z
    .object({
      type: z.literal('url'),
      text: label,
      // The address guard judges the link itself and answers `invalid_media_url`.
      url: z.string().meta({
        format: 'uri',
        maxLength: mediaUrlLength,
        description: 'Public http(s) link that the button opens, without a user name or password.',
      }),
    })
    .meta({ title: 'Link button' }),
  z.object({ type: z.literal('call'), text: label, phone_number: phoneNumber(6) }).meta({ title: 'Call button' }),
]);

/** A text with buttons under it. */
export const buttons = defineKind({
  type: 'buttons',
  summary: 'Send a message with buttons',
  description: 'One to three buttons that reply, open a link or call a number. What the recipient taps is not reported to you.',
  fields: {
    title: text(1, 1024).meta({ description: 'The title, shown at the top.' }),
    description: text(0, 1024).optional().meta({ description: 'The text below the title.' }),
    footer: text(0, 60).optional().meta({ description: 'Small print at the bottom.' }),
    buttons: list(button, 1, 3).meta({ description: 'The buttons, 1 to 3.' }),
  },
  check(body, fail) {
    const seen = new Set<string>();
    for (const [index, item] of body.buttons.entries()) {
      if (item.type !== 'reply') continue;
      if (seen.has(item.id)) fail(['buttons', index, 'id'], 'must be unique within the message');
      seen.add(item.id);
    }
  },
  links: (body) => body.buttons.flatMap((item, index) => (item.type === 'url' ? [['buttons', index, 'url']] : [])),
  bestEffortNote:
    'Buttons are sent on a best-effort basis: depending on the phone and app version they may be shown as plain text or not at all. Word the text so that it makes sense without them.',
  examples: {
    replies: {
      title: 'Does 14:00 tomorrow suit you?',
      footer: 'Example Dental',
      buttons: [
        { type: 'reply', text: 'Yes', id: 'confirm' },
        { type: 'reply', text: 'Another time', id: 'reschedule' },
      ],
    },
    actions: {
      title: 'Your parcel is at the pick-up point',
      description: 'Open until 20:00. Bring an ID.',
      buttons: [
        { type: 'url', text: 'Get directions', url: 'https://example.com/pickup/1042' },
        { type: 'call', text: 'Call us', phone_number: '+49 30 901820' },
      ],
    },
  },
});
