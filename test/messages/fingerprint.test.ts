import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, fingerprint } from '../../src/messages/claim.ts';

/** The same value with the keys of every object in another order. */
function shuffled(value: unknown, order: (names: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const source = new Map(Object.entries(value));
  // fromEntries defines keys, where assigning one named __proto__ would not.
  return Object.fromEntries(order([...source.keys()]).map((name) => [name, shuffled(source.get(name), order)]));
}

const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

describe('canonical JSON', () => {
  it('does not depend on the order of keys, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(shuffled(value, (names) => names.toReversed()))).toBe(canonicalJson(value));
        expect(canonicalJson(shuffled(value, (names) => names.toSorted()))).toBe(canonicalJson(value));
      }),
    );
  });

  it('is JSON of the same value, so that values that differ have texts that differ', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('takes a key without a value for an absent one', () => {
    expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
    expect(canonicalJson({ a: 1, b: null })).not.toBe(canonicalJson({ a: 1 }));
  });
});

describe('the fingerprint of a send', () => {
  const path = '/v1/messages/text';

  it('is the same for the same path and body, whatever the order of its keys', () => {
    fc.assert(
      fc.property(object, (body) => {
        expect(
          fingerprint(
            path,
            shuffled(body, (names) => names.toReversed()),
          ),
        ).toBe(fingerprint(path, body));
      }),
    );
  });

  it('differs with any other difference of the body [idem.fingerprint]', () => {
    fc.assert(
      fc.property(object, object, (one, other) => {
        const same = canonicalJson(one) === canonicalJson(other);
        expect(fingerprint(path, one) === fingerprint(path, other)).toBe(same);
      }),
    );
  });

  it('differs with one changed, added, removed or mistyped field, or another order of a list', () => {
    const body = { instance_id: 'i', to: '491701234500', options: ['a', 'b'], card: { name: 'x', n: 1 } };
    const changes = [
      { ...body, to: '491701234501' },
      { ...body, extra: '' },
      { ...body, extra: null },
      { ...body, options: ['b', 'a'] },
      { ...body, options: ['a', 'b', 'b'] },
      { ...body, options: ['ab'] },
      { ...body, card: { name: 'x', n: '1' } },
      { ...body, card: { name: 'x' } },
      { ...body, card: { n: 'x', name: 1 } },
      { instance_id: body.instance_id, to: body.to, options: body.options },
    ];
    expect(new Set([body, ...changes].map((one) => fingerprint(path, one))).size).toBe(changes.length + 1);
  });

  it('differs with the path [idem.fingerprint]', () => {
    expect(fingerprint('/v1/messages/text', {})).not.toBe(fingerprint('/v1/messages/image', {}));
  });
});
