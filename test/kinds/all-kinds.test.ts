import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allKinds, messageTypes } from '../../src/kinds/index.ts';
import { accept, addressing, exampleOf, refuse } from './bodies.ts';

const folder = new URL('../../src/kinds/', import.meta.url);
const modules: [string, Record<string, unknown>][] = await Promise.all(
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== 'all.ts' && file !== 'index.ts')
    .map(async (file): Promise<[string, Record<string, unknown>]> => [file, await import(new URL(file, folder).href)]),
);
const defined = modules.flatMap(([file, exports]) =>
  Object.values(exports)
    .filter((value): value is { type: string } => typeof value === 'object' && value !== null && 'examples' in value && 'type' in value)
    .map((kind) => ({ file, kind })),
);

describe('the list of kinds', () => {
  test('holds every message type once, in the order of the contract [service.kinds]', () => {
    expect(allKinds.map((kind) => kind.type)).toEqual([...messageTypes]);
    expect(messageTypes).toEqual([
      'text',
      'image',
      'document',
      'video',
      'audio',
      'sticker',
      'location',
      'contact',
      'poll',
      'reaction',
      'buttons',
      'list',
    ]);
  });

  test('holds the kind of every file, and each file is named after its kind', () => {
    expect(defined).toHaveLength(allKinds.length);
    for (const { file, kind } of defined) {
      expect(allKinds, `${file} is not listed in all.ts`).toContain(kind);
      expect(file).toBe(`${kind.type}.ts`);
    }
  });
});

describe.each(allKinds.map((kind) => [kind.type, kind] as const))('%s', (type, kind) => {
  const jsonSchema = z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any' });
  const fromDocs = z.fromJSONSchema(jsonSchema as Parameters<typeof z.fromJSONSchema>[0]);
  const examples = Object.entries(kind.examples);

  test('has at least two examples, a summary and a description', () => {
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(kind.summary).toMatch(/^[A-Z].+[^.]$/);
    expect(kind.description).toMatch(/^[A-Z].+\.$/s);
  });

  test.each(examples)('example %s is accepted by the parser and by the documented schema', (_, example) => {
    expect(() => accept(type, example)).not.toThrow();
    expect(fromDocs.safeParse({ ...addressing, ...example }).error).toBeUndefined();
  });

  test.each(examples)('example %s: parser and documented schema refuse the same broken bodies [fields.limits]', (_, example) => {
    const body: Record<string, unknown> = { ...addressing, ...example };
    const own = Object.keys(jsonSchema.properties ?? {});
    expect(own).toEqual(expect.arrayContaining(Object.keys(body)));
    for (const name of own) {
      for (const wrong of [undefined, null, true, 7.5, {}, [], [null], 'x'.repeat(5000)]) {
        const broken: Record<string, unknown> = { ...body, [name]: wrong };
        if (wrong === undefined) delete broken[name];
        // Two places where JSON Schema cannot say the rule: which strings are emoji, and true being bound to another field.
        if (name === 'quoted_from_me' && wrong === true) continue;
        // The guard judges links, so the parser takes any string there and the documented schema says more.
        if (name === 'url' && typeof wrong === 'string') continue;
        expect({ name, wrong, ok: kind.schema.safeParse(broken).success }).toEqual({ name, wrong, ok: fromDocs.safeParse(broken).success });
      }
    }
  });

  test('every own field is described, and strings say their length', () => {
    const undescribed: string[] = [];
    const unbounded: string[] = [];
    const visit = (path: string, node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const schema = node as { properties?: Record<string, Record<string, unknown>>; items?: unknown; oneOf?: unknown[] };
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const place = `${path}.${name}`;
        if (!('const' in property) && typeof property.description !== 'string') undescribed.push(place);
        const free = property.type === 'string' && !('maxLength' in property) && !('const' in property) && !('format' in property);
        if (free && !/(^|\.)(to|phone_number)$/.test(place)) unbounded.push(place);
        visit(place, property);
      }
      visit(path, schema.items);
      for (const option of schema.oneOf ?? []) visit(path, option);
    };
    visit('', jsonSchema);
    expect({ undescribed, unbounded }).toEqual({ undescribed: [], unbounded: [] });
  });

  test('ignores unknown fields, dangerous names included [body.unknown-fields]', () => {
    const example = exampleOf(type);
    const extra = JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"toString":2,"type":"text","unknown":{"deep":[]}}');
    expect(accept(type, { ...example, ...extra })).toEqual(accept(type, example));
    expect(accept(type, JSON.parse(JSON.stringify(example).replace('{', '{"__proto__":{"x":1},')))).toEqual(accept(type, example));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('content holds only own fields, and none that are undefined [location.static]', () => {
    for (const [, example] of examples) {
      const content = accept(type, { ...example, quoted_message_id: 'ABC', quoted_from_me: true });
      const names = Object.keys(content);
      for (const name of ['instance_id', 'to', 'quoted_message_id', 'quoted_from_me', ...(kind.media === null ? [] : ['url'])]) {
        expect(names).not.toContain(name);
      }
      expect(Object.values(content)).not.toContain(undefined);
    }
  });

  test('names every missing required field [fields.required]', () => {
    const required = (jsonSchema.required ?? []).filter((name) => !(name in addressing));
    expect(required.length).toBeGreaterThan(0);
    expect(refuse(type, {})).toEqual(required.map((field) => ({ field, message: `${field} is required` })));
  });

  test('refuses a body that is not an object', () => {
    for (const body of [null, [], 'text', 1, true]) {
      expect(kind.schema.safeParse(body).success).toBe(false);
    }
  });

  test('carries a caveat only for interactive messages [result.fields]', () => {
    if (type === 'buttons' || type === 'list') expect(kind.bestEffortNote).toMatch(/plain text/);
    else expect(kind.bestEffortNote).toBeNull();
  });
});
