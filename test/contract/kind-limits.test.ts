import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/use-gateway.ts';
import { outcome, refusedField } from './outcome.ts';
import { card, many, reply, row, section, validBodies } from './valid-bodies.ts';

/** [kind, field in the contract's notation, fewest, most characters, the fields that hold the text]. */
const lengths: [string, string, number, number, (text: string) => object][] = [
  ['text', 'text', 1, 4096, (text) => ({ text })],
  ['text', 'quoted_message_id', 1, 128, (quoted_message_id) => ({ quoted_message_id })],
  ['image', 'caption', 0, 1024, (caption) => ({ caption })],
  ['document', 'caption', 0, 1024, (caption) => ({ caption })],
  ['document', 'filename', 0, 255, (filename) => ({ filename })],
  ['video', 'caption', 0, 1024, (caption) => ({ caption })],
  ['location', 'name', 0, 255, (name) => ({ name })],
  ['location', 'address', 0, 512, (address) => ({ address })],
  ['poll', 'question', 1, 255, (question) => ({ question })],
  ['poll', 'options[1]', 1, 100, (option) => ({ options: ['a', option] })],
  ['buttons', 'title', 1, 1024, (title) => ({ title })],
  ['buttons', 'description', 0, 1024, (description) => ({ description })],
  ['buttons', 'footer', 0, 60, (footer) => ({ footer })],
  ['buttons', 'buttons[1].text', 1, 24, (text) => ({ buttons: [reply('a'), reply('b', { text })] })],
  ['buttons', 'buttons[2].id', 1, 200, (id) => ({ buttons: [reply('a'), reply('b'), reply(id)] })],
  ['list', 'title', 1, 1024, (title) => ({ title })],
  ['list', 'button_text', 1, 24, (button_text) => ({ button_text })],
  ['list', 'description', 0, 1024, (description) => ({ description })],
  ['list', 'footer_text', 0, 60, (footer_text) => ({ footer_text })],
  ['list', 'sections[1].title', 1, 24, (title) => ({ sections: [section(1, 'a'), section(1, 'b', { title })] })],
  ['list', 'sections[1].rows[0].title', 1, 24, (title) => ({ sections: [section(1), { title: 'S', rows: [row('r', { title })] }] })],
  ['list', 'sections[0].rows[1].row_id', 1, 200, (row_id) => ({ sections: [{ title: 'S', rows: [row('r'), row(row_id)] }] })],
  ['list', 'sections[0].rows[0].description', 1, 72, (description) => ({ sections: [{ title: 'S', rows: [row('r', { description })] }] })],
];

/** [kind, field, what is accepted, what is one too many or too few, the fields that hold it]. */
const bounds: [string, string, unknown[], unknown[], (value: never) => object][] = [
  ['image', 'mime_type', [`image/${'x'.repeat(122)}`], [`image/${'x'.repeat(123)}`], (mime_type: string) => ({ mime_type })],
  ['video', 'mime_type', [`video/${'x'.repeat(122)}`], [`video/${'x'.repeat(123)}`], (mime_type: string) => ({ mime_type })],
  ['document', 'mime_type', ['a/b'], ['a/', '/b', 'a', `a/${'b'.repeat(127)}`], (mime_type: string) => ({ mime_type })],
  ['location', 'latitude', [-90, 90, '-90', '90.000'], [-90.0001, 90.0001, '90.0001', '-91'], (latitude: unknown) => ({ latitude })],
  ['location', 'longitude', [-180, 180, '-180', '180.0'], [-180.0001, 180.0001, '181'], (longitude: unknown) => ({ longitude })],
  ['contact', 'contacts', [1, 10], [0, 11], (n: number) => ({ contacts: many(n, () => card()) })],
  [
    'contact',
    'contacts[1].phone_number',
    ['1234567890', '123456789012345', '+1 (234) 567-890'],
    ['123456789', '1234567890123456', '(12) 34-56 789', '0123456789'],
    (phone_number: string) => ({ contacts: [card(), card({ phone_number })] }),
  ],
  ['poll', 'options', [2, 10], [0, 1, 11], (n: number) => ({ options: many(n, String) })],
  [
    'poll',
    'selectable_count',
    [1, 2, 3],
    [0, -1, 4, 11, 1.5],
    (selectable_count: number) => ({ options: ['a', 'b', 'c'], selectable_count }),
  ],
  ['reaction', 'message_id', ['x', 'x'.repeat(128)], ['', 'x'.repeat(129)], (message_id: string) => ({ message_id })],
  ['buttons', 'buttons', [1, 3], [0, 4], (n: number) => ({ buttons: many(n, (i) => reply(String(i))) })],
  [
    'buttons',
    'buttons[0].phone_number',
    ['+49 170 1234567'],
    ['12345', '0170 1234567', '1234567890123456', 'call me'],
    (phone_number: string) => ({ buttons: [{ type: 'call', text: 'Call', phone_number }] }),
  ],
  ['list', 'sections', [1, 10], [0, 11], (n: number) => ({ sections: many(n, (i) => section(1, `s${i}`)) })],
  ['list', 'sections[1].rows', [1, 10], [0, 11], (n: number) => ({ sections: [section(1, 'a'), section(n, 'b')] })],
  [
    'list',
    'sections',
    [30],
    [31],
    (total: number) => ({ sections: [...many(3, (i) => section(10, `s${i}`)), ...many(total - 30, () => section(1, 'x'))] }),
  ],
];

describe('the limits of every kind', () => {
  const { files, customer, number } = useGateway({ plan: 'generous' });

  const send = (type: string, own: object) =>
    customer.send(type, { instance_id: number(), to: '491701234567', ...validBodies(files.serve('/file'))[type], ...own });

  it.each(lengths)('%s: %s has %i to %i characters', async (type, field, min, max, own) => {
    for (const text of ['x'.repeat(max), '漢'.repeat(max), 'x'.repeat(Math.max(min, 1))]) {
      expect(outcome(await send(type, own(text)))).toBe('200');
    }
    const refused = { outcome: '400 invalid_request', field, message: expect.stringContaining(field) };
    expect(refusedField(await send(type, own('x'.repeat(max + 1))))).toEqual(refused);
    const empty = await send(type, own(''));
    if (min === 0) expect(outcome(empty)).toBe('200');
    else expect(refusedField(empty)).toEqual(refused);
  });

  it.each(bounds)('%s: %s from %j, not %j', async (type, field, accepted, refused, own) => {
    for (const value of accepted) expect(outcome(await send(type, own(value as never)))).toBe('200');
    for (const value of refused) {
      const answer = refusedField(await send(type, own(value as never)));
      expect(answer).toEqual({ outcome: '400 invalid_request', field, message: expect.stringContaining(field) });
    }
  });

  it('a refused message is never cut and sent', async () => {
    const to = '491701239999';
    await customer.send('text', { instance_id: number(), to, text: 'x'.repeat(4097) });
    await customer.send('poll', { instance_id: number(), to, question: 'x'.repeat(256), options: ['a', 'b'] });
    expect(await customer.received(to)).toEqual([]);
  });
});
