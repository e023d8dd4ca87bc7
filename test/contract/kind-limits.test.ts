import { describe, expect, it } from 'vitest';
import { useGateway } from '../support/use-gateway.ts';
import { outcome, refusedField } from './outcome.ts';
import { card, many, reply, row, section, validBodies } from './valid-bodies.ts';

// Every limit is tried on the schemas (../kinds) and, within and beyond, over HTTP by what the document says (openapi-limits).
// Here one of each kind shows what such a request is answered.

/** [kind, field in the contract's notation, fewest, most characters, the fields that hold the text, rule]. */
const lengths: [string, string, number, number, (text: string) => object, string][] = [
  ['text', 'text', 1, 4096, (text) => ({ text }), '[text.length]'],
  ['text', 'quoted_message_id', 1, 128, (quoted_message_id) => ({ quoted_message_id }), '[quote.length]'],
  ['image', 'caption', 0, 1024, (caption) => ({ caption }), '[media.caption]'],
  ['document', 'filename', 0, 255, (filename) => ({ filename }), '[filename.length]'],
  ['video', 'caption', 0, 1024, (caption) => ({ caption }), '[media.caption]'],
  ['location', 'address', 0, 512, (address) => ({ address }), '[location.lengths]'],
  ['poll', 'options[1]', 1, 100, (option) => ({ options: ['a', option] }), '[poll.option-length]'],
  ['buttons', 'buttons[2].id', 1, 200, (id) => ({ buttons: [reply('a'), reply('b'), reply(id)] }), '[buttons.id]'],
  [
    'list',
    'sections[1].rows[0].title',
    1,
    24,
    (title) => ({ sections: [section(1), { title: 'S', rows: [row('r', { title })] }] }),
    '[list.titles]',
  ],
];

/** [kind, field, what is accepted, what is one too many or too few, the fields that hold it, rule]. */
const bounds: [string, string, unknown[], unknown[], (value: never) => object, string][] = [
  ['location', 'latitude', [-90, '90.000'], [-90.0001, '90.0001'], (latitude: unknown) => ({ latitude }), '[location.range]'],
  ['contact', 'contacts', [1, 10], [0, 11], (n: number) => ({ contacts: many(n, () => card()) }), '[contact.cards]'],
  [
    'reaction',
    'message_id',
    ['x', 'x'.repeat(128)],
    ['', 'x'.repeat(129)],
    (message_id: string) => ({ message_id }),
    '[reaction.message-id]',
  ],
  // Beyond what a schema can say of one field.
  ['poll', 'selectable_count', [3], [4], (selectable_count: number) => ({ options: ['a', 'b', 'c'], selectable_count }), '[poll.count]'],
  [
    'list',
    'sections',
    [30],
    [31],
    (total: number) => ({ sections: [...many(3, (i) => section(10, `s${i}`)), ...many(total - 30, () => section(1, 'x'))] }),
    '[list.rows]',
  ],
];

describe('the limits of every kind', () => {
  const { files, customer, number } = useGateway({ plan: 'generous' });

  const send = (type: string, own: object) =>
    customer.send(type, { instance_id: number(), to: '491701234567', ...validBodies(files.serve('/file'))[type], ...own });

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
    await customer.send('text', { instance_id: number(), to, text: 'x'.repeat(4097) });
    await customer.send('poll', { instance_id: number(), to, question: 'x'.repeat(256), options: ['a', 'b'] });
    expect(await customer.received(to)).toEqual([]);
  });
});
