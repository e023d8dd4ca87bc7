import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { type ComponentName, howToGet, missingComponents } from '../test/support/components.ts';

// Runs the tests of each package in packages/ that has changed since they last passed: its own files, what its `testedWith` names of the
// gateway, the installed libraries, or Node.
// Names of folders choose among them; --all runs those too that have not changed. Ends with 1 when those of any package fail.
const root = join(import.meta.dirname, '..');
const packages = join(root, 'packages');
const { values, positionals } = parseArgs({ options: { all: { type: 'boolean', default: false } }, allowPositionals: true });
const all = readdirSync(packages).filter((name) => existsSync(join(packages, name, 'package.json')));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`not in packages/: ${unknown.join(', ')}`);

// Some packages are tested with the compiled gateway.
execFileSync(process.execPath, [join(root, 'scripts', 'build.ts'), '--if-stale'], { stdio: 'inherit' });
const say = (line: string) => void process.stdout.write(`${line}\n`);
for (const name of positionals.length > 0 ? positionals : all) {
  const state = stateOf(name);
  // Gone after npm ci, so that a new installation is always tested.
  const stamp = join(root, 'node_modules', '.cache', 'package-tests', name);
  if (!values.all && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) {
    say(`packages/${name}: unchanged since its tests passed`);
    continue;
  }
  const [missing] = missingComponents(manifestOf(name).needs ?? []);
  if (missing !== undefined) {
    say(`packages/${name}: not run; ${howToGet(missing)}`);
    if (process.env.CI === 'true') process.exitCode = 1;
    continue;
  }
  const { status } = spawnSync('npm', ['test', '--silent'], { cwd: join(packages, name), stdio: 'inherit' });
  if (status !== 0) {
    say(`packages/${name}: FAILED`);
    process.exitCode = 1;
  } else if (stateOf(name) === state) {
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, state);
  }
}

interface Manifest {
  readonly testedWith?: readonly string[];
  /** What its tests need besides Node. */
  readonly needs?: readonly ComponentName[];
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as Manifest;
}

/** A hash of everything that decides how the tests of a package end. */
function stateOf(name: string): string {
  const { testedWith = [] } = manifestOf(name);
  const files = [...filesIn(join('packages', name)), ...testedWith.flatMap(filesIn)];
  const hash = createHash('sha256').update(process.version);
  for (const file of [...files, 'package-lock.json', 'tsconfig.json']) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The files of a folder, or the file itself, without installed libraries and what a package was built into. */
function filesIn(path: string): readonly string[] {
  if (statSync(join(root, path)).isFile()) return [path];
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)));
  return files.filter((file) => !/^packages\/(?:(?:.+\/)?node_modules|[^/]+\/dist)\//.test(file)).toSorted();
}
