import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, accepts, refuse, refusedFields } from './bodies.ts';

const heading = { title: 'Choose', button_text: 'Menu' };
let counter = 0;
const rows = (count: number) => Array.from({ length: count }, () => ({ title: 'Row', row_id: `row-${counter++}` }));
const sections = (...sizes: number[]) => sizes.map((size) => ({ title: 'Section', rows: rows(size) }));
const messageFor = (body: object) => refuse('list', { ...heading, ...body }).map((error) => error.message);

describe('sections', () => {
  test.each([[[1]], [[10]], [[10, 10, 10]], [Array(10).fill(3)]])('may have %j rows', (sizes) => {
    expect(accepts('list', { ...heading, sections: sections(...sizes) })).toBe(true);
  });

  test('are 1 to 10', () => {
    for (const sizes of [[], Array(11).fill(1)])
      expect(messageFor({ sections: sections(...sizes) })).toEqual(['sections must have 1 to 10 items']);
  });

  test('have 1 to 10 rows each [list.sections]', () => {
    expect(messageFor({ sections: sections(1, 0, 11) })).toEqual([
      'sections[1].rows must have 1 to 10 items',
      'sections[2].rows must have 1 to 10 items',
    ]);
  });

  test('have at most 30 rows in total [list.rows]', () => {
    expect(messageFor({ sections: sections(10, 10, 10, 1) })).toEqual(['sections must have at most 30 rows in total']);
    expect(messageFor({ sections: sections(...Array(10).fill(10)) })).toEqual(['sections must have at most 30 rows in total']);
  });

  test('need their fields', () => {
    expect(messageFor({ sections: [{}, { title: 'S', rows: [{}, 'row'] }] })).toEqual([
      'sections[0].title is required',
      'sections[0].rows is required',
      'sections[1].rows[0].title is required',
      'sections[1].rows[0].row_id is required',
      'sections[1].rows[1] must be an object',
    ]);
  });
});

test('row_id is unique across the whole message; the later one is named', () => {
  const body = {
    sections: [
      { title: 'A', rows: [{ title: 'R', row_id: 'same' }] },
      { title: 'B', rows: [{ title: 'R', row_id: 'same' }] },
    ],
  };
  expect(messageFor(body)).toEqual(['sections[1].rows[0].row_id must be unique across the whole message']);
});

test('property: row ids are refused exactly where they were seen before [list.row-id]', () => {
  const ids = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(ids, (groups) => {
      const places = groups.flatMap((group, section) =>
        group.map((id, row) => ({ id, field: `sections[${section}].rows[${row}].row_id` })),
      );
      const repeated = places.filter(({ id }, index) => places.findIndex((place) => place.id === id) < index).map(({ field }) => field);
      const body = { ...heading, sections: groups.map((group) => ({ title: 'S', rows: group.map((row_id) => ({ title: 'R', row_id })) })) };
      if (repeated.length === 0) expect(accept('list', body)).toEqual(body);
      else expect(refusedFields('list', body)).toEqual(repeated);
    }),
  );
});

test('unknown fields are dropped at every depth', () => {
  const row = { title: 'R', row_id: 'r' };
  expect(accept('list', { ...heading, more: 1, sections: [{ title: 'S', more: 1, rows: [{ ...row, more: 1 }] }] })).toEqual({
    ...heading,
    sections: [{ title: 'S', rows: [row] }],
  });
});
