import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/** What one column of the file holds of a row. */
export type CsvColumns<View> = Readonly<Record<string, (view: View) => string | number | boolean | null>>;

/**
 * Rows as a CSV file (RFC 4180), made while it is read. What begins like a formula gets an apostrophe before it, so that a spreadsheet shows the
 * text and does not run it (OWASP, "CSV Injection").
 */
export function csvStream<View>(columns: CsvColumns<View>, pages: AsyncIterable<readonly View[]>): Readable {
  const cells = Object.values(columns);
  const lines = async function* () {
    yield Object.keys(columns);
    for await (const page of pages) for (const view of page) yield cells.map((cell) => cell(view));
  };
  const file = stringify({
    escape_formulas: true,
    record_delimiter: 'windows',
    // Spreadsheets take the file for UTF-8 then.
    bom: true,
    cast: { boolean: (value) => (value ? 'yes' : 'no') },
  });
  return Readable.from(lines())
    .on('error', (error) => file.destroy(error))
    .pipe(file);
}
