import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const client = join(here, '..', '..');
// The version that this repository checks with; it takes a fraction of the time.
const compiler = join(client, '../../node_modules/typescript/bin/tsc');

/** Installs Deno and Bun, the first time, into this folder alone: nothing else needs their 200 MB. No script of theirs is run. */
export function installRuntimes(): void {
  const installed = statSync(join(here, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false });
  if (installed !== undefined && installed.mtimeMs >= statSync(join(here, 'package-lock.json')).mtimeMs) return;
  execFileSync('npm', ['ci', '--prefix', here, '--ignore-scripts'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The program among the packages that there are of it: the one for this machine. */
export function runtime(scope: '@deno' | '@oven', file: string): string {
  const folder = join(here, 'node_modules', scope);
  const found = readdirSync(folder)
    .map((name) => join(folder, name, file))
    .find((program) => spawnSync(program, ['--version']).status === 0);
  if (found === undefined) throw new Error(`no program in ${folder} runs on this machine`);
  return found;
}

/** Makes a folder in which the package is installed as it is published, with the suite's driver as a program that uses it. */
export function installPackage(folder: string): void {
  const library = join(folder, 'node_modules', 'messaging-gateway-client');
  mkdirSync(library, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(library, 'package.json'), readFileSync(join(client, 'package.json')));
  execFileSync(process.execPath, [compiler, '-p', join(client, 'tsconfig.build.json'), '--outDir', join(library, 'dist')]);
  const driver = stripTypeScriptTypes(readFileSync(join(here, '..', 'driver.ts'), 'utf8'));
  writeFileSync(join(folder, 'driver.js'), driver.replace('../src/index.ts', 'messaging-gateway-client'));
  writeFileSync(join(folder, 'lines.js'), lines);
}

/** Does what each line of its input says, and answers it with one line. */
const lines = `import process from 'node:process';
import { createInterface } from 'node:readline';
import { startHere } from './driver.js';

// As README.md says: on a connection that it has used before, Deno itself repeats a request whose answer was cut off.
if ('Deno' in globalThis) {
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const own = fetch;
  globalThis.fetch = (url, init) => own(url, { ...init, client });
}

const driver = startHere();
for await (const line of createInterface({ input: process.stdin })) {
  const { task, ...words } = JSON.parse(line);
  process.stdout.write(JSON.stringify(await driver.run(task, words)) + '\\n');
}
`;
