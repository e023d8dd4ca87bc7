import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtFile } from '../faults/server-process.ts';

let folder: string;
/** Makes the Node it is loaded into say that it is the version in PRETEND; not those that this one starts. */
let pretend: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-node-'));
  pretend = join(folder, 'pretend.cjs');
  writeFileSync(
    pretend,
    "const value = process.env.PRETEND; if (value) { delete process.env.PRETEND; Object.defineProperty(process.versions, 'node', { value }); }",
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Whatever older Node this machine has, besides a new one that pretends. */
const oldOnes = (process.env.PATH ?? '').split(delimiter).flatMap((place) => {
  try {
    const node = join(place, 'node');
    return Number(/\d+/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[0]) < 24 ? [node] : [];
  } catch {
    return [];
  }
});

interface Node {
  readonly path: string;
  readonly pretended?: string;
}

interface Ways {
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It gets SIGTERM when it has printed this. */
  readonly stop?: string;
}

/** Runs a file on this Node, which may pretend to be another version. */
async function runOn(node: Node, words: readonly string[], { file = builtFile, env = {}, stop = '' }: Ways) {
  const own = node.pretended === undefined ? {} : { NODE_OPTIONS: `--require=${pretend}`, PRETEND: node.pretended };
  const child = spawn(node.path, [file, ...words], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stop !== '' && stdout.includes(stop)) child.kill('SIGTERM');
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, stdout, stderr };
}

it.each([
  ['24.15.0', false],
  ['24.16.0', true],
  ['25.9.0', false],
  ['26.0.0', false],
  ['26.1.0', true],
  ['27.0.0', true],
])('Node %s can run the program: %s', async (pretended, can) => {
  const dist = join(mkdtempSync(join(folder, 'version-')), 'dist');
  mkdirSync(dist);
  writeFileSync(join(dist, '..', 'package.json'), '{"type":"module"}');
  writeFileSync(join(dist, 'program.js'), "console.log('the program');");
  copyFileSync(builtFile, join(dist, 'main.js'));
  const ended = await runOn({ path: process.execPath, pretended }, [], { file: join(dist, 'main.js') });
  expect([ended.code, ended.stdout]).toEqual(can ? [0, 'the program\n'] : [1, '']);
});

describe.each(['pretending', ...new Set(oldOnes)])('on an old Node (%s)', (node) => {
  const run = (words: readonly string[], ways: Ways = {}) =>
    runOn(node === 'pretending' ? { path: process.execPath, pretended: '20.20.2' } : { path: node }, words, ways);

  it('the program runs on the Node that came with it: words, output and exit codes pass through', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
    expect(await run(['no-such-command'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('the server stops at a signal, and ends with its exit code', async () => {
    const env = { DATA_DIR: join(folder, 'data'), PORT: '0', NETWORKS: 'sandbox', LOG_LEVEL: 'error' };
    expect(await run(['serve'], { env, stop: 'The gateway is running' })).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  it('one line says what to do when no other Node came with it', async () => {
    const alone = join(folder, 'alone', 'dist');
    mkdirSync(alone, { recursive: true });
    writeFileSync(join(alone, '..', 'package.json'), '{"type":"module"}');
    copyFileSync(builtFile, join(alone, 'main.js'));
    const ended = await run(['serve'], { file: join(alone, 'main.js') });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^gateway: this is Node \d+\.\d+\.\d+, and the gateway needs Node 24\.16 or a newer 24, or Node 26\.1 or newer: start it with one of these, or [^\n]+\n$/,
    );
  });

  it('a Node that npm installed beside the gateway is found too', async () => {
    const modules = join(mkdtempSync(join(folder, 'installed-')), 'node_modules');
    const dist = join(modules, 'messaging-gateway', 'dist');
    mkdirSync(dist, { recursive: true });
    mkdirSync(join(modules, 'node', 'bin'), { recursive: true });
    symlinkSync(process.execPath, join(modules, 'node', 'bin', 'node'));
    writeFileSync(join(dist, '..', 'package.json'), '{"type":"module"}');
    writeFileSync(join(dist, 'program.js'), 'console.log(process.versions.node, process.argv.slice(2).join());');
    copyFileSync(builtFile, join(dist, 'main.js'));
    expect(await run(['one', 'two'], { file: join(dist, 'main.js') })).toMatchObject({
      code: 0,
      stdout: `${process.versions.node} one,two\n`,
      stderr: '',
    });
  });
});
