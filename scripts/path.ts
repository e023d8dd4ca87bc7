import { parseArgs } from 'node:util';
import type { Ran } from './path/measure.ts';
import { ways } from './path/ways.ts';

// Follows one operation through `src`: npm run path -- sandbox. Prints the functions that ran, in order of first call, and the rooms they are in.
const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean', default: false } } });
const unknown = positionals.filter((name) => !(name in ways));
if (unknown.length > 0) throw new Error(`usage: npm run path -- [--json] ${Object.keys(ways).join('|')}`);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const sums: Record<string, { files: number; functions: number }> = {};
for (const [name, { title, follow }] of Object.entries(ways)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  // Only what is printed shows when each was first called.
  const ran = await follow(!values.json);
  sums[name] = { files: new Set(ran.map(({ file }) => file)).size, functions: ran.length };
  if (!values.json) print(title, ran);
}
if (values.json) say(JSON.stringify(sums));
// A worker thread may still end by itself.
process.exit();

function print(title: string, ran: readonly Ran[]): void {
  say(`\n## ${title}\n`);
  const files = new Set(ran.map(({ file }) => file));
  say(`${files.size} files, ${ran.length} functions, ${sum(ran)} calls.\n`);
  const rooms = Map.groupBy(ran, ({ file }) => roomOf(file));
  say(
    table(
      ['room', 'files', 'functions', 'calls'],
      [...rooms].map(([room, of]) => [room, new Set(of.map(({ file }) => file)).size, of.length, sum(of)]),
    ),
  );
  say('');
  say(
    table(
      ['ms', 'thread', 'place', 'function', 'calls'],
      ran.map(({ thread, file, line, name, calls, firstMs }) => [firstMs?.toFixed(1) ?? '', thread, `${file}:${line}`, name, calls]),
    ),
  );
}

function sum(of: readonly Ran[]): number {
  return of.reduce((calls, ran) => calls + ran.calls, 0);
}

/** The first folder, and of networks the network. */
function roomOf(file: string): string {
  const parts = file.split('/').slice(0, -1);
  return parts.slice(0, parts[0] === 'networks' ? 2 : 1).join('/') || '(src)';
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => String(row[column]).length)));
  const shown = (row: readonly (string | number)[]) =>
    row
      .map((cell, column) => (typeof cell === 'number' ? String(cell).padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [shown(head), ...rows.map(shown)].join('\n');
}
