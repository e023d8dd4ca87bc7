import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { storeKinds } from '../support/stores.ts';
import { outcome, refusedField } from './outcome.ts';
import { card, many, reply, row, section, validBodies } from './valid-bodies.ts';

/** [kind, field in the contract's notation, fewest, most characters, the fields that hold the text, rule]. */
const lengths: [string, string, number, number, (text: string) => object, string][] = [
  ['text', 'text', 1, 4096, (text) => ({ text }), '[text.length]'],
  ['text', 'quoted_message_id', 1, 128, (quoted_message_id) => ({ quoted_message_id }), '[quote.length]'],
  ['image', 'caption', 0, 1024, (caption) => ({ caption }), '[media.caption]'],
  ['document', 'caption', 0, 1024, (caption) => ({ caption }), '[media.caption]'],
  ['document', 'filename', 0, 255, (filename) => ({ filename }), '[filename.length]'],
  ['video', 'caption', 0, 1024, (caption) => ({ caption }), '[media.caption]'],
  ['location', 'name', 0, 255, (name) => ({ name }), '[location.lengths]'],
  ['location', 'address', 0, 512, (address) => ({ address }), '[location.lengths]'],
  ['poll', 'question', 1, 255, (question) => ({ question }), '[poll.question]'],
  ['poll', 'options[1]', 1, 100, (option) => ({ options: ['a', option] }), '[poll.option-length]'],
  ['buttons', 'title', 1, 1024, (title) => ({ title }), '[buttons.texts]'],
  ['buttons', 'description', 0, 1024, (description) => ({ description }), '[buttons.texts]'],
  ['buttons', 'footer', 0, 60, (footer) => ({ footer }), '[buttons.texts]'],
  ['buttons', 'buttons[1].text', 1, 24, (text) => ({ buttons: [reply('a'), reply('b', { text })] }), '[buttons.text]'],
  ['buttons', 'buttons[2].id', 1, 200, (id) => ({ buttons: [reply('a'), reply('b'), reply(id)] }), '[buttons.id]'],
  ['list', 'title', 1, 1024, (title) => ({ title }), '[list.texts]'],
  ['list', 'button_text', 1, 24, (button_text) => ({ button_text }), '[list.texts]'],
  ['list', 'description', 0, 1024, (description) => ({ description }), '[list.texts]'],
  ['list', 'footer_text', 0, 60, (footer_text) => ({ footer_text }), '[list.texts]'],
  ['list', 'sections[1].title', 1, 24, (title) => ({ sections: [section(1, 'a'), section(1, 'b', { title })] }), '[list.titles]'],
  [
    'list',
    'sections[1].rows[0].title',
    1,
    24,
    (title) => ({ sections: [section(1), { title: 'S', rows: [row('r', { title })] }] }),
    '[list.titles]',
  ],
  [
    'list',
    'sections[0].rows[1].row_id',
    1,
    200,
    (row_id) => ({ sections: [{ title: 'S', rows: [row('r'), row(row_id)] }] }),
    '[list.row-id]',
  ],
  [
    'list',
    'sections[0].rows[0].description',
    1,
    72,
    (description) => ({ sections: [{ title: 'S', rows: [row('r', { description })] }] }),
    '[list.description]',
  ],
];

/** [kind, field, what is accepted, what is one too many or too few, the fields that hold it, rule]. */
const bounds: [string, string, unknown[], unknown[], (value: never) => object, string][] = [
  [
    'image',
    'mime_type',
    [`image/${'x'.repeat(122)}`],
    [`image/${'x'.repeat(123)}`],
    (mime_type: string) => ({ mime_type }),
    '[mime.shape]',
  ],
  [
    'video',
    'mime_type',
    [`video/${'x'.repeat(122)}`],
    [`video/${'x'.repeat(123)}`],
    (mime_type: string) => ({ mime_type }),
    '[mime.shape]',
  ],
  ['document', 'mime_type', ['a/b'], ['a/', '/b', 'a', `a/${'b'.repeat(127)}`], (mime_type: string) => ({ mime_type }), '[mime.shape]'],
  [
    'location',
    'latitude',
    [-90, 90, '-90', '90.000'],
    [-90.0001, 90.0001, '90.0001', '-91'],
    (latitude: unknown) => ({ latitude }),
    '[location.range]',
  ],
  [
    'location',
    'longitude',
    [-180, 180, '-180', '180.0'],
    [-180.0001, 180.0001, '181'],
    (longitude: unknown) => ({ longitude }),
    '[location.range]',
  ],
  ['contact', 'contacts', [1, 10], [0, 11], (n: number) => ({ contacts: many(n, () => card()) }), '[contact.cards]'],
  [
    'contact',
    'contacts[1].phone_number',
    ['1234567890', '123456789012345', '+1 (234) 567-890'],
    ['123456789', '1234567890123456', '(12) 34-56 789', '0123456789'],
    (phone_number: string) => ({ contacts: [card(), card({ phone_number })] }),
    '[contact.number]',
  ],
  ['poll', 'options', [2, 10], [0, 1, 11], (n: number) => ({ options: many(n, String) }), '[poll.options]'],
  [
    'poll',
    'selectable_count',
    [1, 2, 3],
    [0, -1, 4, 11, 1.5],
    (selectable_count: number) => ({ options: ['a', 'b', 'c'], selectable_count }),
    '[poll.count]',
  ],
  [
    'reaction',
    'message_id',
    ['x', 'x'.repeat(128)],
    ['', 'x'.repeat(129)],
    (message_id: string) => ({ message_id }),
    '[reaction.message-id]',
  ],
  ['buttons', 'buttons', [1, 3], [0, 4], (n: number) => ({ buttons: many(n, (i) => reply(String(i))) }), '[buttons.count]'],
  [
    'buttons',
    'buttons[0].phone_number',
    ['+49 170 1234567'],
    ['12345', '0170 1234567', '1234567890123456', 'call me'],
    (phone_number: string) => ({ buttons: [{ type: 'call', text: 'Call', phone_number }] }),
    '[buttons.call]',
  ],
  ['list', 'sections', [1, 10], [0, 11], (n: number) => ({ sections: many(n, (i) => section(1, `s${i}`)) }), '[list.sections]'],
  ['list', 'sections[1].rows', [1, 10], [0, 11], (n: number) => ({ sections: [section(1, 'a'), section(n, 'b')] }), '[list.sections]'],
  [
    'list',
    'sections',
    [30],
    [31],
    (total: number) => ({ sections: [...many(3, (i) => section(10, `s${i}`)), ...many(total - 30, () => section(1, 'x'))] }),
    '[list.rows]',
  ],
];

describe.each(storeKinds)('the limits of every kind on %s', (store) => {
  let gateway: TestGateway;
  let files: FileServer;
  let customer: Customer;
  let instance_id: string;
  beforeAll(async () => {
    files = await startFileServer();
    gateway = await startGateway(store, { env: { MEDIA_ALLOW_HOSTS: files.allowed } });
    customer = await gateway.customer({ plan: await gateway.plan() });
    instance_id = await customer.linked();
  });
  afterAll(async () => {
    await gateway.stop();
    await files.close();
  });

  const send = (type: string, own: object) =>
    customer.send(type, { instance_id, to: '491701234567', ...validBodies(files.serve('/file'))[type], ...own });

  it.each(lengths)('%s: %s has %i to %i characters $5', async (type, field, min, max, own) => {
    for (const text of ['x'.repeat(max), '漢'.repeat(max), 'x'.repeat(Math.max(min, 1))]) {
      expect(outcome(await send(type, own(text)))).toBe('200');
    }
    const refused = { outcome: '400 invalid_request', field, message: expect.stringContaining(field) };
    expect(refusedField(await send(type, own('x'.repeat(max + 1))))).toEqual(refused);
    const empty = await send(type, own(''));
    if (min === 0) expect(outcome(empty)).toBe('200');
    else expect(refusedField(empty)).toEqual(refused);
  });

  it.each(bounds)('%s: %s from %j, not %j $5', async (type, field, accepted, refused, own) => {
    for (const value of accepted) expect(outcome(await send(type, own(value as never)))).toBe('200');
    for (const value of refused) {
      const answer = refusedField(await send(type, own(value as never)));
      expect(answer).toEqual({ outcome: '400 invalid_request', field, message: expect.stringContaining(field) });
    }
  });

  it('a refused message is never cut and sent [text.whole]', async () => {
    const to = '491701239999';
    await customer.send('text', { instance_id, to, text: 'x'.repeat(4097) });
    await customer.send('poll', { instance_id, to, question: 'x'.repeat(256), options: ['a', 'b'] });
    expect(await customer.received(to)).toEqual([]);
  });
});
