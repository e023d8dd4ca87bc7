import { expect, test } from 'vitest';
import { z } from 'zod';
import { acceptedJson } from '../../src/http/index.ts';
import { allKinds } from '../../src/kinds/index.ts';
import { bodyOf, type GroupEntry, groupEntry, withItem, withVariant } from '../../web/src/pages/send/form/entry.ts';
import { isNamed } from '../../web/src/pages/send/form/labels.ts';
import { missingIn } from '../../web/src/pages/send/form/missing.ts';
import { type Field, groupOf } from '../../web/src/pages/send/form/schema.ts';
import { contentOf, sharedFields } from '../../web/src/pages/send/preview.ts';

const addressing = { instance_id: '01a1ffa4-4f12-7409-b596-d379f24d6f9c', to: '15550123' };

/** The form of a schema as the page gets it, filled with these values. */
function formOf(schema: z.ZodType, values: unknown): GroupEntry {
  return groupEntry(groupOf({ ...acceptedJson(schema) }), values);
}

function entryNamed({ entries }: GroupEntry, name: string) {
  return entries.find((one) => one.name === name)?.entry;
}

const examples = allKinds.flatMap((kind) => Object.entries(kind.examples).map(([name, example]) => ({ kind, name, example })));

test.each(examples)('an example filled in is sent as it is: $kind.type, $name', ({ kind, example }) => {
  const body = bodyOf(formOf(kind.schema, { ...addressing, ...example }));
  expect(kind.schema.parse(body)).toEqual(kind.schema.parse({ ...addressing, ...example }));
});

test.each(allKinds)('no field of $type has to be written as JSON', ({ schema }) => {
  expect(JSON.stringify(formOf(schema, undefined))).not.toContain('"control":"json"');
});

/** What the form says of a field besides its description, all that it holds included. */
function namesIn(field: Field): string[] {
  switch (field.control) {
    case 'group':
      return field.fields.flatMap(({ name, field: inner }) => [...(inner.control === 'constant' ? [] : [name]), ...namesIn(inner)]);
    case 'list':
      return namesIn(field.item);
    case 'variants':
      return field.variants.flatMap((variant) => [
        // Without a title it is called after its constants.
        ...(variant.title === null
          ? variant.fields.flatMap(({ field: inner }) => (inner.control === 'constant' ? [String(inner.value)] : []))
          : []),
        ...namesIn(variant),
      ]);
    default:
      return [];
  }
}

test.each(allKinds)('every field and example of $type has a name in every language', ({ schema, examples: own }) => {
  const { fields, ...group } = groupOf(acceptedJson(schema));
  const names = [...namesIn({ ...group, fields: fields.filter(({ name }) => !sharedFields.has(name)) }), ...Object.keys(own)];
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

// A kind that does not exist: the form follows from the schema alone.
const thirteenth = z.object({
  tone: z.enum(['calm', 'loud']),
  volume: z.int().min(0).max(11).default(5),
  echo: z.boolean().default(true),
  place: z.object({ room: z.string().min(1), floor: z.number().optional() }).optional(),
  notes: z.array(z.number()).max(3).optional(),
  nickname: z.string().nullable().optional(),
  extra: z.record(z.string(), z.string()).optional(),
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('say'), words: z.string(), twice: z.boolean().optional() }),
      z.object({ type: z.literal('pause'), words: z.string(), seconds: z.number() }),
    ]),
  ),
});

test('a kind that nobody has seen gets a control for each of its fields', () => {
  const controls = Object.fromEntries(formOf(thirteenth, {}).entries.map(({ name, entry }) => [name, entry.field.control]));
  expect(controls).toEqual({
    tone: 'choice',
    volume: 'number',
    echo: 'switch',
    place: 'group',
    notes: 'list',
    nickname: 'text',
    extra: 'json',
    parts: 'list',
  });
});

test('whatever such a kind holds comes back as it was filled in', () => {
  const values = {
    tone: 'loud',
    volume: 11,
    echo: false,
    place: { room: 'hall', floor: 2.5 },
    notes: [1, 2],
    nickname: 'Bo',
    extra: { a: 'b' },
    parts: [
      { type: 'pause', words: 'hm', seconds: 3 },
      { type: 'say', words: 'ho', twice: true },
    ],
  };
  expect(bodyOf(formOf(thirteenth, values))).toEqual(values);
});

test('what is left empty is left out, so that what usually holds holds', () => {
  expect(bodyOf(formOf(thirteenth, { tone: 'calm' }))).toEqual({ tone: 'calm', parts: [] });
});

test('an empty item keeps its place, so that the answer names the right ones', () => {
  const form = formOf(z.object({ options: z.array(z.string().min(1)).min(2) }), {});
  expect(bodyOf(form)).toEqual({ options: ['', ''] });
});

test('a required text that may be empty is sent empty', () => {
  expect(bodyOf(formOf(z.object({ emoji: z.string().max(24) }), {}))).toEqual({ emoji: '' });
});

test('another variant takes over what has the same name', () => {
  const list = entryNamed(formOf(thirteenth, { parts: [{ type: 'say', words: 'ho', twice: true }] }), 'parts');
  const variants = list !== undefined && 'items' in list ? list.items[0]?.entry : undefined;
  if (variants === undefined || !('group' in variants)) throw new Error('the item has no variants');
  expect(bodyOf(withVariant(variants, 1).group)).toEqual({ type: 'pause', words: 'ho' });
});

test('a new item never takes the key of one that is there', () => {
  const list = entryNamed(formOf(thirteenth, { notes: [1, 2, 3] }), 'notes');
  if (list === undefined || !('items' in list)) throw new Error('the field is no list');
  const [, ...rest] = list.items;
  const keys = withItem({ ...list, items: rest }).items.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test('what is missing is told in words at its field, from the same schema', () => {
  const told = (type: string, values: object = {}) =>
    Object.fromEntries(missingIn(formOf(kindNamed(type).schema, { ...addressing, ...values })));
  expect(told('text')).toEqual({ text: 'Fill this in.' });
  expect(told('image')).toEqual({ url: 'Fill this in.' });
  expect(told('location')).toEqual({ latitude: 'Fill this in.', longitude: 'Fill this in.' });
  expect(told('contact')).toEqual({ 'contacts[0].full_name': 'Fill this in.', 'contacts[0].phone_number': 'Fill this in.' });
  expect(told('poll')).toEqual({ question: 'Fill this in.', 'options[0]': 'Fill this in.', 'options[1]': 'Fill this in.' });
  expect(told('buttons', { title: 'Hello' })).toEqual({ 'buttons[0].text': 'Fill this in.', 'buttons[0].id': 'Fill this in.' });
  // An empty emoji takes a reaction away.
  expect(told('reaction')).toEqual({ message_id: 'Fill this in.' });
  expect(told('contact', { contacts: [] })).toEqual({ contacts: 'Add at least 1.' });
});

test.each(examples)('nothing is missing in an example: $kind.type, $name', ({ kind, example }) => {
  expect([...missingIn(formOf(kind.schema, { ...addressing, ...example }))]).toEqual([]);
});

test('what is optional may be left empty, but not by halves', () => {
  const filled = { tone: 'calm', parts: [] };
  expect([...missingIn(formOf(thirteenth, filled))]).toEqual([]);
  expect([...missingIn(formOf(thirteenth, { ...filled, place: { floor: 3 } }))]).toEqual([['place.room', 'Fill this in.']]);
});

// What the preview shows is what the server makes of the same fields; of a file it knows the link alone.
test.each(examples)('the preview has what arrives: $kind.type, $name', ({ kind, example }) => {
  const body = bodyOf(formOf(kind.schema, { ...addressing, ...example }));
  const { url: _, mime_type: __, filename, ...shown } = contentOf(kind.type, body);
  const { mime_type: ___, filename: ____, selectable_count: _____, ...arrives } = kind.content(kind.schema.parse(body));
  expect(arrives).toMatchObject(JSON.parse(JSON.stringify({ ...shown, selectable_count: undefined })));
  if (kind.type === 'document') expect(String(filename)).toMatch(/\.pdf$/);
});

function kindNamed(type: string) {
  const kind = allKinds.find((one) => one.type === type);
  if (kind === undefined) throw new Error(`no kind ${type}`);
  return kind;
}
