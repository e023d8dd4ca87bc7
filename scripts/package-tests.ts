import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';

// Runs the tests of each package in packages/ that has changed since they last passed: its own files, the installed libraries, or Node.
// Names of folders choose among them; --all runs those too that have not changed. Ends with 1 when those of any package fail.
const root = join(import.meta.dirname, '..');
const packages = join(root, 'packages');
const { values, positionals } = parseArgs({ options: { all: { type: 'boolean', default: false } }, allowPositionals: true });
const all = readdirSync(packages).filter((name) => existsSync(join(packages, name, 'package.json')));
const unknown = positionals.filter((name) => !all.includes(name));
if (unknown.length > 0) throw new Error(`not in packages/: ${unknown.join(', ')}`);

const say = (line: string) => void process.stdout.write(`${line}\n`);
for (const name of positionals.length > 0 ? positionals : all) {
  const state = stateOf(name);
  // Gone after npm ci, so that a new installation is always tested.
  const stamp = join(root, 'node_modules', '.cache', 'package-tests', name);
  if (!values.all && existsSync(stamp) && readFileSync(stamp, 'utf8') === state) {
    say(`packages/${name}: unchanged since its tests passed`);
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

/** A hash of everything that decides how the tests of a package end. */
function stateOf(name: string): string {
  const own = readdirSync(join(packages, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !relative(packages, entry.parentPath).split(sep).includes('node_modules'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  const hash = createHash('sha256').update(process.version);
  for (const file of [...own.toSorted(), 'package-lock.json', 'tsconfig.json']) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
