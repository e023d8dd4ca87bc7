import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvStream } from '../../src/portal/listing/csv.ts';

const fileOf = async (texts: readonly string[]) => text(csvStream({ id: () => 'x', text: (one: string) => one, n: () => -1 }, [texts]));
const beginnings = /^["\s]*[=+@＝＋－＠-]/;

it.each([
  ['=1+1', "'=1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a,@SUM(A1)', `"a,'@SUM(A1)"`],
  ['a\t-2', "a\t'-2"],
  ['a\r\n+44', `"a\r\n'+44"`],
  ['a; "=1+1"', `"a;' ""=1+1"""`],
  ['a;;=1', "a;;'=1"],
  ['\t=1', "'\t'=1"],
  ['a;\t=1', "a;'\t'=1"],
  ['；＝1;＝1', "；＝1;'＝1"],
  ['well-known = fine; so is a+b', 'well-known = fine; so is a+b'],
])('%j is written %j', async (value, written) => {
  expect(await fileOf([value])).toBe(`id,text,n\r\nx,${written},-1\r\n`);
});

it('no cell begins like a formula, whatever separates cells, and read as it is meant nothing else has changed', async () => {
  const nasty = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '＝', ';', ',', '\t', '\r', '\n', '"', "'", ' ', 'a', '1') });
  await fc.assert(
    fc.asyncProperty(fc.array(nasty, { maxLength: 4 }), async (texts) => {
      const file = await fileOf(texts);
      // Where another character separates cells, quotes in the middle of one are letters.
      for (const cell of file.replaceAll(',-1\r\n', '\r\n').split(/[,;\t\r\n]/)) expect(cell).not.toMatch(beginnings);
      const rows: string[][] = parse(file, { record_delimiter: '\r\n' });
      const without = (one: string | undefined) => one?.replaceAll("'", '');
      expect(rows.slice(1).map(([, one]) => without(one))).toEqual(texts.map(without));
    }),
    { numRuns: 200 },
  );
});
