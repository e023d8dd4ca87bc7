import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Room, reservedLibraries, rooms } from './rooms.ts';

// Writes biome.rooms.json, the lint rules about imports between rooms, from the table in rooms.ts.
// With --check it writes nothing and fails when the file is not what the table gives.
const file = join(import.meta.dirname, '..', 'biome.rooms.json');
const all = Object.keys(rooms).filter((name) => !name.includes('/'));

/** Refuses the imports that match one of these patterns. */
interface Pattern {
  readonly group: readonly string[];
  readonly message: string;
  readonly importNamePattern?: string;
  readonly invertImportNamePattern?: true;
}

function patterns(name: string, room: Room, sqlHere: boolean): Pattern[] {
  const own = name.split('/')[0];
  const unknown = all.filter((other) => other !== own && !room.rooms.includes(other));
  const restricted = Object.entries(room.exportsOf ?? {});
  const elsewhere = reservedLibraries.filter((library) => !room.libraries?.includes(library) && room.exportsOf?.[library] === undefined);
  const refused: Pattern[] = [
    { group: unknown.map((other) => `**/${other}/**`), message: `The room ${own} may not import this room (scripts/rooms.ts).` },
    {
      group: room.byPath === true ? [] : room.rooms.flatMap((other) => [`**/${other}/**`, `!**/${other}/index.ts`]),
      message: 'A room is imported through its index.ts only.',
    },
    {
      group: (room.foldersNotUsed ?? []).map((folder) => `**/${folder}/**`),
      message: 'Within the room dependencies point one way (scripts/rooms.ts).',
    },
    { group: elsewhere, message: `This library belongs to other rooms than ${own} (scripts/rooms.ts).` },
    { group: sqlHere ? [] : ['kysely'], message: "SQL lives in store/ and in the rooms' queries." },
    ...restricted.map(([library, names]) => ({
      group: [library],
      importNamePattern: names,
      invertImportNamePattern: true as const,
      message: `Of this library only ${names} may be used here (scripts/rooms.ts).`,
    })),
  ];
  return refused.filter(({ group }) => group.length > 0);
}

function override(includes: readonly string[], refused: readonly Pattern[]) {
  return { includes, linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: refused } } } } } };
}

const overrides = Object.entries(rooms).flatMap(([name, room]) => [
  override([name.endsWith('.ts') ? `src/${name}` : `src/${name}/**`], patterns(name, room, room.sql === 'everywhere')),
  ...(room.sql === 'queries' ? [override([`src/${name}/**/queries.ts`, `src/${name}/**/queries/**`], patterns(name, room, true))] : []),
]);
overrides.push(
  override(['packages/**'], [{ group: ['../../../**'], message: 'A package imports nothing outside its folder; others by their name.' }]),
  override(
    ['test/**', 'bench/**', 'scripts/**'],
    [{ group: ['**/packages/**'], message: 'A package is imported by its name, through its index.ts.' }],
  ),
);
const wanted = `{"overrides": [\n${overrides.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`;

if (!process.argv.includes('--check')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted) {
  process.stderr.write('biome.rooms.json is not what scripts/rooms.ts gives: run npm run lint:rules\n');
  process.exitCode = 1;
}
