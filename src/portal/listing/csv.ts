import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { FastifyReply } from 'fastify';
import { withoutFormulas } from '../../core/index.ts';

type Cell = string | number | boolean | null;

/** What one column of the file holds of a row. */
export type CsvColumns<View> = Readonly<Record<string, (view: View) => Cell>>;

type CellField<View> = { [Name in keyof View]: View[Name] extends Cell ? Name : never }[keyof View] & string;

/** Columns that are called like the fields that they hold. */
export function columnsOf<View>(...names: readonly CellField<View>[]): CsvColumns<View> {
  return Object.fromEntries(names.map((name) => [name, (view: View) => view[name] as Cell]));
}

/** Rows as a CSV file (RFC 4180), made while it is read. Every file that the server gives people for their spreadsheets is made here. */
export function csvStream<View>(
  columns: CsvColumns<View>,
  pages: AsyncIterable<readonly View[]> | Iterable<readonly View[]>,
): NodeJS.ReadableStream {
  const cells = Object.values(columns);
  const lines = async function* () {
    yield Object.keys(columns);
    for await (const page of pages) for (const view of page) yield cells.map((cell) => cell(view));
  };
  const file = stringify({
    record_delimiter: 'windows',
    // Spreadsheets take the file for UTF-8 then.
    bom: true,
    cast: { boolean: (value) => (value ? 'yes' : 'no'), string: withoutFormulas },
  });
  return Readable.from(lines())
    .on('error', (error) => file.destroy(error))
    .pipe(file);
}

/** Answers with the file; `name` without its ending. */
export function sendFile(reply: FastifyReply, name: string, file: NodeJS.ReadableStream | string): FastifyReply {
  return reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}.csv"`).send(file);
}
