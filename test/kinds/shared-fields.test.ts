import { describe, expect, test } from 'vitest';
import { messageTypes } from '../../src/kinds/index.ts';
import { accept, accepts, addressing, astral, exampleOf, kindOf, refuse } from './bodies.ts';

describe.each(messageTypes)('shared fields of %s', (type) => {
  const example = exampleOf(type);
  const one = (field: string, value: unknown) => refuse(type, { ...example, [field]: value });

  test('instance_id must be a UUID [id.body]', () => {
    for (const value of ['abc', '', 7, null]) {
      expect(one('instance_id', value)).toEqual([{ field: 'instance_id', message: 'instance_id must be a UUID' }]);
    }
    expect(one('instance_id', undefined)).toEqual([{ field: 'instance_id', message: 'instance_id is required' }]);
    const upper = { ...addressing, ...example, instance_id: addressing.instance_id.toUpperCase() };
    expect(kindOf(type).schema.parse(upper).instance_id).toBe(addressing.instance_id);
  });

  test('to must be a string; whether it is a number is judged later (422) [to.missing]', () => {
    expect(one('to', 491701234567)).toEqual([{ field: 'to', message: 'to must be a string' }]);
    expect(one('to', undefined)).toEqual([{ field: 'to', message: 'to is required' }]);
    expect(accepts(type, { ...example, to: 'nobody' })).toBe(true);
  });

  if (type === 'reaction') {
    test('has no quoting: the fields are unknown and ignored, whatever they hold [quote.reaction]', () => {
      expect(accept(type, { ...example, quoted_message_id: 7, quoted_from_me: 'x' })).toEqual(accept(type, example));
    });
    return;
  }

  test('quoting is kept for the send', () => {
    const parsed = kindOf(type).schema.parse({ ...addressing, ...example, quoted_message_id: 'ABC', quoted_from_me: true });
    expect(parsed).toMatchObject({ quoted_message_id: 'ABC', quoted_from_me: true });
  });

  test('quoted_message_id is 1 to 128 characters [quote.length]', () => {
    expect(accepts(type, { ...example, quoted_message_id: astral.repeat(128) })).toBe(true);
    for (const value of [astral.repeat(129), 'x'.repeat(129), '']) {
      expect(one('quoted_message_id', value)).toEqual([
        { field: 'quoted_message_id', message: 'quoted_message_id must be 1 to 128 characters' },
      ]);
    }
    expect(one('quoted_message_id', null)).toEqual([{ field: 'quoted_message_id', message: 'quoted_message_id must be a string' }]);
  });

  test('quoted_from_me needs quoted_message_id only when true [quote.from-me]', () => {
    expect(accepts(type, { ...example, quoted_from_me: false })).toBe(true);
    expect(one('quoted_from_me', true)).toEqual([
      { field: 'quoted_from_me', message: 'quoted_from_me must only be true together with quoted_message_id' },
    ]);
    for (const value of ['true', 1, null]) {
      expect(one('quoted_from_me', value)).toEqual([{ field: 'quoted_from_me', message: 'quoted_from_me must be a boolean' }]);
    }
  });
});
