import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { OperatorError, readMoment } from '../core/index.ts';
import { checkEmail } from '../people/index.ts';
import { bounds, checkName, checkReference } from './terms.ts';

/** The columns of a file of accounts. Only `name` must be there. */
export const importColumns = ['reference', 'name', 'plan', 'plan_ends', 'access_ends', 'instance_limit', 'owner_email'] as const;
type Column = (typeof importColumns)[number];

export const mostImportBytes = 1024 * 1024;
const mostRows = 2000;

/** A line of the file as it was written, with what is wrong in it by itself. */
export interface ImportRow {
  readonly line: number;
  readonly name: string;
  readonly reference: string | null;
  /** Name or id; null: none. Undefined: the default. */
  readonly plan: string | null | undefined;
  readonly planEndsAt: number | null;
  readonly accessEndsAt: number | null;
  readonly instanceLimit: number | null;
  readonly ownerEmail: string | null;
  /** A sentence each. */
  readonly mistakes: readonly string[];
}

/** An empty table with every column, and a line that shows what may stand in each. */
export const importTemplate = `${importColumns.join(',')}\r\nC-1001,Example Ltd,starter,2027-12-31,,5,owner@example.com\r\n`;

const records = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }));

/**
 * Reads a file of accounts: comma, semicolon or tab between the cells, the first line naming the columns. Throws OperatorError when it is no such
 * table, or too large; what is wrong with a line stands with it.
 */
export function readAccountTable(text: string): ImportRow[] {
  if (Buffer.byteLength(text) > mostImportBytes) throw new OperatorError('the file must be at most 1 MB');
  // What stands for bytes that are none would become part of names.
  if (text.includes('\uFFFD')) throw new OperatorError('the file must be in UTF-8; spreadsheets save it as "CSV UTF-8"');
  // Within a cell the library would count both characters of a line's end.
  const lines = text.replaceAll(/\r\n?/g, '\n');
  const head = lines.trimStart().split('\n', 1)[0] ?? '';
  const delimiter = [';', '\t'].find((one) => head.includes(one)) ?? ',';
  const [first, ...rows] = parsed(lines, delimiter);
  const columns = first === undefined ? [] : checkColumns(first.record);
  if (rows.length === 0) throw new OperatorError('the file has no line with an account');
  if (rows.length > mostRows) throw new OperatorError(`the file must have at most ${mostRows} lines with accounts`);
  return rows.map(({ record, info }) => readRow(columns, record, info.lines));
}

function parsed(text: string, delimiter: string): z.output<typeof records> {
  try {
    return records.parse(
      parse(text, {
        bom: true,
        delimiter,
        info: true,
        max_record_size: 10_000,
        relax_column_count: true,
        skip_empty_lines: true,
        skip_records_with_empty_values: true,
        trim: true,
        to: mostRows + 2,
      }),
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new OperatorError(`the file is not a table that can be read: ${error.message}`);
  }
}

function checkColumns(names: readonly string[]): string[] {
  const columns = names.map((name) => name.trim().toLowerCase().replaceAll(' ', '_'));
  const unknown = columns.find((name) => name !== '' && !importColumns.some((known) => known === name));
  if (unknown !== undefined)
    throw new OperatorError(`there is no column ${JSON.stringify(unknown.slice(0, 50))}; the columns are ${importColumns.join(', ')}`);
  if (!columns.includes('name'))
    throw new OperatorError(`the first line must name the columns, among them name; they are ${importColumns.join(', ')}`);
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (twice !== undefined) throw new OperatorError(`the column ${twice} appears twice`);
  return columns;
}

function readRow(columns: readonly string[], cells: readonly string[], line: number): ImportRow {
  const record: Readonly<Record<string, string>> = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
  const mistakes: string[] = [];
  if (cells.slice(columns.length).some((cell) => cell !== '')) mistakes.push('It has more cells than there are columns.');
  const read = <T>(column: Column, check: (text: string) => T): T | null => {
    const text = record[column] ?? '';
    if (text === '') return null;
    try {
      return check(text);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      mistakes.push(`${column}: ${error.message}.`);
      return null;
    }
  };
  const name = read('name', checkName);
  if ((record.name ?? '') === '') mistakes.push('name: it is missing.');
  const plan = record.plan ?? '';
  return {
    line,
    name: name ?? (record.name ?? '').slice(0, 100),
    reference: read('reference', checkReference),
    plan: plan === '' ? undefined : plan.toLowerCase() === 'none' ? null : plan,
    planEndsAt: read('plan_ends', readMoment),
    accessEndsAt: read('access_ends', readMoment),
    instanceLimit: read('instance_limit', readLimit),
    ownerEmail: read('owner_email', checkEmail),
    mistakes,
  };
}

function readLimit(text: string): number {
  const { min, max } = bounds.instanceLimit;
  if (!/^[0-9]{1,7}$/.test(text) || Number(text) > max) throw new OperatorError(`it must be a whole number from ${min} to ${max}`);
  return Number(text);
}
