import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/use-gateway.ts';
import { outcome, refusedField } from './outcome.ts';
import { card, reply, row, section, validBodies } from './valid-bodies.ts';

const twoSections = (first: object, second: object) => ({ sections: [section(1, 'a', first), section(1, 'b', second)] });
const contacts = (fields: object) => ({ contacts: [card(), card(fields)] });
const urlButton = (fields: object) => ({ buttons: [reply('a'), { type: 'url', text: 'Open', url: 'https://example.com/', ...fields }] });
const callButton = (fields: object) => ({ buttons: [{ type: 'call', text: 'Call', phone_number: '491701234567', ...fields }] });

/** [kind, the field that is refused, what is wrong, the fields that make it so]. `undefined` leaves a field out. */
const refusals: [string, string, string, object][] = [
  ['text', 'text', 'missing', { text: undefined }],
  ['text', 'text', 'blank [text.length]', { text: ' \n\t ' }],
  ['text', 'text', 'no string', { text: 7 }],
  ['text', 'quoted_from_me', 'true without quoted_message_id [quote.from-me]', { quoted_from_me: true }],
  ['text', 'quoted_from_me', 'no boolean [quote.from-me]', { quoted_message_id: 'x', quoted_from_me: 'true' }],
  ['text', 'quoted_message_id', 'no string', { quoted_message_id: 7 }],
  ...['image', 'document', 'video', 'audio', 'sticker'].flatMap((type): [string, string, string, object][] => [
    [type, 'url', 'missing', { url: undefined }],
    [type, 'url', 'no string', { url: ['https://example.com/'] }],
  ]),
  ...['image', 'document', 'video'].flatMap((type): [string, string, string, object][] => [
    [type, 'caption', 'no string', { caption: null }],
    [type, 'mime_type', 'no type/subtype [mime.shape]', { mime_type: 'png' }],
    [type, 'mime_type', 'with parameters', { mime_type: 'text/plain; charset=utf-8' }],
  ]),
  ...['../x.pdf', 'a/b', 'a\\b', 'a\nb', 'a\u0000b', 'a\u007fb', '.', '..'].map((filename): [string, string, string, object] => [
    'document',
    'filename',
    `${JSON.stringify(filename)} [filename.refused]`,
    { filename },
  ]),
  ['location', 'latitude', 'missing [location.range]', { latitude: undefined }],
  ['location', 'longitude', 'missing [location.range]', { longitude: undefined }],
  ['location', 'latitude', 'a word', { latitude: 'north' }],
  ['location', 'latitude', 'empty', { latitude: '' }],
  ['location', 'longitude', 'null', { longitude: null }],
  ['location', 'longitude', 'hexadecimal', { longitude: '0x10' }],
  ['location', 'name', 'no string', { name: 7 }],
  ['contact', 'contacts', 'missing', { contacts: undefined }],
  ['contact', 'contacts', 'no list', { contacts: card() }],
  ['contact', 'contacts[1]', 'no object', { contacts: [card(), 'Ada'] }],
  ['contact', 'contacts[1].full_name', 'missing [contact.required]', contacts({ full_name: undefined })],
  ['contact', 'contacts[1].phone_number', 'missing [contact.required]', contacts({ phone_number: undefined })],
  ['contact', 'contacts[1].phone_number', 'with letters', contacts({ phone_number: '+44 20 7946 ABCD' })],
  ['contact', 'contacts[1].organization', 'no string [contact.organization]', contacts({ organization: 7 })],
  ...['ada', 'ada@', '@example.com', 'ada@example', 'a da@example.com', 'ada@exam ple.com', 'ada@@example.com', ''].map(
    (email): [string, string, string, object] => ['contact', 'contacts[1].email', `"${email}" [contact.email]`, contacts({ email })],
  ),
  ...[
    'example.com',
    'www.example.com/a',
    '//example.com',
    'ftp://example.com',
    'https://',
    'javascript:alert(1)',
    'https://me@example.com',
    'https://me:pw@example.com',
    '',
  ].map((url): [string, string, string, object] => ['contact', 'contacts[1].url', `"${url}" [contact.url]`, contacts({ url })]),
  ['poll', 'question', 'missing', { question: undefined }],
  ['poll', 'options', 'missing', { options: undefined }],
  ['poll', 'options[1]', 'no string', { options: ['a', 7] }],
  ['poll', 'options[2]', 'a duplicate [poll.distinct]', { options: ['a', 'b', 'a'] }],
  ['poll', 'selectable_count', 'a string', { selectable_count: '1' }],
  ['reaction', 'message_id', 'missing [reaction.message-id]', { message_id: undefined }],
  ['reaction', 'message_id', 'with a space [reaction.message-id]', { message_id: 'a b' }],
  ['reaction', 'message_id', 'with a dot [reaction.message-id]', { message_id: 'a.b' }],
  ['reaction', 'emoji', 'missing', { emoji: undefined }],
  ['reaction', 'emoji', 'null', { emoji: null }],
  ['reaction', 'emoji', 'two [reaction.emoji]', { emoji: '👍👍' }],
  ['reaction', 'emoji', 'with a space [reaction.emoji]', { emoji: '👍 ' }],
  ['reaction', 'emoji', 'a letter [reaction.emoji]', { emoji: 'x' }],
  ['reaction', 'emoji', 'over 24 characters [reaction.emoji]', { emoji: '👍'.repeat(25) }],
  ['reaction', 'from_me', 'no boolean [reaction.from-me]', { from_me: 1 }],
  ['buttons', 'title', 'missing', { title: undefined }],
  ['buttons', 'buttons', 'missing', { buttons: undefined }],
  ['buttons', 'buttons[0].text', 'missing [buttons.text]', { buttons: [reply('a', { text: undefined })] }],
  ['buttons', 'buttons[1].id', 'missing [buttons.id]', { buttons: [reply('a'), reply('b', { id: undefined })] }],
  ['buttons', 'buttons[1].id', 'a duplicate [buttons.id]', { buttons: [reply('a'), reply('a')] }],
  ['buttons', 'buttons[1].url', 'missing', urlButton({ url: undefined })],
  ['buttons', 'buttons[1].text', 'of a link, missing', urlButton({ text: undefined })],
  ['buttons', 'buttons[0].phone_number', 'missing', callButton({ phone_number: undefined })],
  ['buttons', 'buttons[0].type', 'missing', { buttons: [{ text: 'Yes', id: 'a' }] }],
  ['list', 'title', 'missing', { title: undefined }],
  ['list', 'button_text', 'missing', { button_text: undefined }],
  ['list', 'sections', 'missing', { sections: undefined }],
  ['list', 'sections[1].title', 'missing [list.titles]', twoSections({}, { title: undefined })],
  ['list', 'sections[1].rows', 'missing', twoSections({}, { rows: undefined })],
  ['list', 'sections[1].rows[0].title', 'missing [list.titles]', twoSections({}, { rows: [row('r', { title: undefined })] })],
  ['list', 'sections[1].rows[0].row_id', 'missing [list.row-id]', twoSections({}, { rows: [{ title: 'Row' }] })],
  [
    'list',
    'sections[1].rows[0].row_id',
    'a duplicate of another section [list.row-id]',
    twoSections({ rows: [row('r')] }, { rows: [row('r')] }),
  ],
  [
    'list',
    'sections[0].rows[1].row_id',
    'a duplicate of its section [list.row-id]',
    { sections: [{ title: 'S', rows: [row('r'), row('r')] }] },
  ],
  ['list', 'sections[1].rows[0].description', 'empty [list.description]', twoSections({}, { rows: [row('r', { description: '' })] })],
];

describe('the rules of every kind', () => {
  const lookup = async () => ['93.184.216.34'];
  const { files, customer, number } = useGateway({ plan: 'generous', overrides: { lookup } });

  const send = (type: string, own: object) =>
    customer.send(type, { instance_id: number(), to: '491701234567', ...validBodies(files.serve('/file'))[type], ...own });

  it.each(refusals)('%s: 400 invalid_request for %s %s [fields.required errors.position]', async (type, field, _, own) => {
    const answer = refusedField(await send(type, own));
    expect(answer).toEqual({ outcome: '400 invalid_request', field, message: expect.stringMatching(/^\S+ (must|is required)/) });
    expect(answer.message.startsWith(`${field} `)).toBe(true);
  });

  it.each(Object.keys(validBodies('')))('%s: instance_id and to are required [send.instance-id send.to to.missing]', async (type) => {
    for (const field of ['instance_id', 'to']) {
      for (const value of [undefined, null, 7]) {
        expect(refusedField(await send(type, { [field]: value }))).toMatchObject({ outcome: '400 invalid_request', field });
      }
    }
    expect(refusedField(await send(type, { instance_id: 'not-a-uuid' }))).toMatchObject({
      outcome: '400 invalid_request',
      field: 'instance_id',
    });
  });

  it.each(['quick_reply', 'Reply', '', null, 7])(
    'a button of type %j is refused, and the allowed types are listed [buttons.type]',
    async (type) => {
      const answer = refusedField(await send('buttons', { buttons: [{ type, text: 'Yes', id: 'a' }] }));
      expect(answer).toMatchObject({ outcome: '400 invalid_request', field: 'buttons[0].type' });
      for (const allowed of ['reply', 'url', 'call']) expect(answer.message).toContain(allowed);
    },
  );

  it.each([
    ['a plain address', { email: 'ada@example.com' }],
    ['a subdomain and a tag', { email: "o'brien+tag@mail.example.co.uk" }],
    ['a full link', { url: 'https://example.com:8443/a?b=c#d' }],
    ['http', { url: 'HTTP://example.com' }],
  ])('a contact may have %s [contact.email contact.url]', async (_, fields) => {
    expect(outcome(await send('contact', contacts(fields)))).toBe('200');
  });

  it('the same id may be on a reply button of another message, and ids are compared exactly [buttons.id]', async () => {
    const buttons = [reply('a'), reply('A'), reply('a ')];
    expect(outcome(await send('buttons', { buttons }))).toBe('200');
    expect(outcome(await send('buttons', { buttons }))).toBe('200');
  });

  it('an instance id is accepted in any letter case', async () => {
    expect(outcome(await send('text', { instance_id: number().toUpperCase() }))).toBe('200');
  });
});
