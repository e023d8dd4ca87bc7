import type { Command } from 'commander';
import type { Run } from './environment.ts';

/** Prints a command's result: with `--json` one line of JSON and nothing else, otherwise the readable text. */
export function print(run: Run, command: Command, json: object, text: string): void {
  run.environment.stdout(`${wantsJson(command) ? JSON.stringify(json) : text}\n`);
}

export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** A value in a table; null is shown as `-`. */
export type Cell = string | number | boolean | null;

/** A table with aligned columns, or `nothing` when it has no rows. */
export function table(header: readonly string[], rows: readonly (readonly Cell[])[], nothing: string): string {
  if (rows.length === 0) return nothing;
  const lines = [header, ...rows.map((row) => row.map(shown))];
  const widths = header.map((_, column) => Math.max(...lines.map((line) => width(line[column] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** What each column of a table shows of a row; a column that is false is left out. */
export type Columns<Row> = Readonly<Record<string, ((row: Row) => Cell) | false>>;

/** A table of things, or `nothing` when there are none. */
export function list<Row>(rows: readonly Row[], columns: Columns<Row>, nothing: string): string {
  const kept = Object.entries(columns).flatMap(([heading, cell]) => (cell === false ? [] : [{ heading, cell }]));
  const headings = kept.map(({ heading }) => heading);
  return table(
    headings,
    rows.map((row) => kept.map(({ cell }) => cell(row))),
    nothing,
  );
}

/** Names and values of one thing, a line each, aligned. */
export function fields(pairs: readonly (readonly [name: string, value: Cell])[]): string {
  const widest = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${pad(name, widest)}  ${shown(value)}`).join('\n');
}

/** One line of text without anything a terminal would obey; labels come from customers. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '?');
}

function shown(value: Cell): string {
  if (value === null) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return oneLine(String(value));
}

const width = (text: string): number => [...text].length;
const pad = (text: string, to: number): string => text + ' '.repeat(Math.max(0, to - width(text)));
