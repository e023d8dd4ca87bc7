import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountSorts, keySorts, numberSorts, providerSorts } from '../../src/accounts/index.ts';
import { GatewayError } from '../../src/core/index.ts';
import { invitationSorts, peopleSorts } from '../../src/people/index.ts';
import { readCursor, writeCursor } from '../../src/portal/listing/cursor.ts';

const ofList = { accountSorts, invitationSorts, keySorts, numberSorts, peopleSorts, providerSorts };
const orders = Object.entries(ofList).flatMap(([list, sorts]) =>
  Object.entries(sorts).map(([sort, { type: key }]) => ({ list, sort, key })),
);
const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const valuesOf = { text: fc.string().filter((text) => !text.includes('\0')), number: fc.maxSafeInteger() } as const;

describe.each(orders)('a cursor of $list by $sort', (order) => {
  it('leads to the row that it was made of', () => {
    fc.assert(
      fc.property(valuesOf[order.key], valuesOf.text, (key, id) => {
        expect(readCursor(writeCursor(order.sort, { key, id }), order, 'after')).toEqual({ key: key === 0 ? 0 : key, id });
      }),
    );
  });

  it('whatever was changed in it, is refused or is of the types that the database compares', () => {
    const fits = { text: (value: unknown) => typeof value === 'string' && !value.includes('\0'), number: Number.isSafeInteger };
    const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.maxSafeInteger(), fc.double());
    const changed = fc.oneof(
      fc.tuple(anything, anything).map(([key, id]) => written([order.sort, key, id])),
      fc.array(anything, { maxLength: 4 }).map((parts) => written([order.sort, ...parts])),
      anything.map(written),
      fc.base64String().map((text) => text.replace(/[+/=]/g, '')),
    );
    fc.assert(
      fc.property(changed, (cursor) => {
        try {
          const { key, id } = readCursor(cursor, order, 'before');
          expect([fits[order.key](key), fits.text(id)]).toEqual([true, true]);
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          expect(error).toMatchObject({ code: 'invalid_request', details: { field: 'before' } });
        }
      }),
    );
  });
});
