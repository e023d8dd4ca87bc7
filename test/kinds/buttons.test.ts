import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, accepts, addressing, kindOf, refuse, refusedFields } from './bodies.ts';

const title = 'Choose';
const reply = (id: string) => ({ type: 'reply', text: 'Yes', id });
const errorsOf = (button: unknown) => refuse('buttons', { title, buttons: [reply('first'), button] });

describe('buttons', () => {
  test('are 1 to 3 [buttons.count]', () => {
    expect(accepts('buttons', { title, buttons: [reply('a')] })).toBe(true);
    expect(accepts('buttons', { title, buttons: [reply('a'), reply('b'), reply('c')] })).toBe(true);
    for (const buttons of [[], [reply('a'), reply('b'), reply('c'), reply('d')]]) {
      expect(refuse('buttons', { title, buttons })).toEqual([{ field: 'buttons', message: 'buttons must have 1 to 3 items' }]);
    }
  });

  test.each(['Reply', 'quick', '', '__proto__', 'toString', 7, null, undefined, ['reply'], {}])(
    'type %j is refused with the allowed ones [buttons.type]',
    (type) => {
      expect(errorsOf({ type, text: 'Yes', id: 'a' })).toEqual([
        { field: 'buttons[1].type', message: 'buttons[1].type must be one of reply, url, call' },
      ]);
    },
  );

  test.each([null, 'reply', 7, []])('%j is no button', (button) => {
    const [error] = errorsOf(button);
    expect(error?.message).toMatch(/^buttons\[1\](\.type must be one of reply, url, call| must be an object)$/);
  });

  test('each type needs its own field', () => {
    for (const [type, field] of Object.entries({ reply: 'id', url: 'url', call: 'phone_number' })) {
      expect(errorsOf({ type, text: 'Go' })).toEqual([{ field: `buttons[1].${field}`, message: `buttons[1].${field} is required` }]);
    }
  });

  test('content holds each with its own fields only, a number to call as digits [buttons.call]', () => {
    const extra = { id: 'x', url: 'https://example.com', phone_number: '+1 (234) 567', more: 1 };
    const buttons = ['reply', 'url', 'call'].map((type) => ({ type, text: 'Go', ...extra }));
    expect(accept('buttons', { title, footer: '', buttons })).toEqual({
      title,
      buttons: [
        { type: 'reply', text: 'Go', id: 'x' },
        { type: 'url', text: 'Go', url: 'https://example.com' },
        { type: 'call', text: 'Go', phone_number: '1234567' },
      ],
    });
  });

  test.each(['', '12345', '012345678', '1234567890123456', 'call me'])('a number to call is not %j', (phone_number) => {
    const field = 'buttons[1].phone_number';
    expect(errorsOf({ type: 'call', text: 'Call', phone_number })).toEqual([
      { field, message: `${field} must be a phone number with country code: 6 to 15 digits, no leading zero` },
    ]);
  });

  test('only links of url buttons go to the address guard, with their place', () => {
    const kind = kindOf('buttons');
    const buttons = [
      { ...reply('a'), url: 'http://ignored' },
      { type: 'url', text: 'A', url: '' },
      { type: 'url', text: 'B', url: 'http://10.0.0.1' },
    ];
    expect(kind.links(kind.schema.parse({ ...addressing, title, buttons }))).toEqual([
      { field: 'buttons[1].url', url: '' },
      { field: 'buttons[2].url', url: 'http://10.0.0.1' },
    ]);
  });

  test('property: reply ids are unique; the later one is named', () => {
    const button = fc.oneof(
      fc.constantFrom('a', 'b', '__proto__').map(reply),
      fc.constant({ type: 'url', text: 'Go', url: 'https://example.com', id: 'a' }),
    );
    fc.assert(
      fc.property(fc.array(button, { minLength: 1, maxLength: 3 }), (buttons) => {
        const ids = buttons.map((one) => (one.type === 'reply' ? one.id : null));
        const repeated = ids.flatMap((id, index) => (id !== null && ids.indexOf(id) < index ? [`buttons[${index}].id`] : []));
        if (repeated.length === 0) expect(accepts('buttons', { title, buttons })).toBe(true);
        else expect(refusedFields('buttons', { title, buttons })).toEqual(repeated);
      }),
    );
    expect(refuse('buttons', { title, buttons: [reply('a'), reply('a')] })[0]?.message).toBe(
      'buttons[1].id must be unique within the message',
    );
  });
});
