import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startServer } from '../faults/server-process.ts';

const root = join(import.meta.dirname, '..', '..');
const manifest = z
  .object({ version: z.string(), bin: z.record(z.string(), z.string()), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

let folder: string;
/** The paths in the packed package. */
let packed: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-package-'));
  // Packed as it was built for the tests: building once more would take the program away from those that run beside this one.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });
  const archive = join(folder, `messaging-gateway-${manifest.version}.tgz`);
  packed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8', maxBuffer: 1e7 })
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  // Installed without the registry: the package itself, and beside it nothing but what it names as its dependencies.
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'messaging-gateway');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', own, '--strip-components=1']);
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the package holds the program, its pages, its threads and processes, the extension, and what one reads first', () => {
  for (const path of [
    'package.json',
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    '.env.example',
    'docs/operating.md',
    'deploy/systemd/messaging-gateway.service',
    'dist/main.js',
    'dist/web/index.html',
    'dist/extension/start.js',
    'dist/checkpoint-worker.js',
    'dist/whatsapp-worker.js',
    'dist/still-process.js',
    'dist/THIRD-PARTY-NOTICES.txt',
    'dist/scalar.js.gz',
  ])
    expect(packed).toContain(path);
  expect(packed.filter((path) => path.startsWith('dist/web/assets/') && path.endsWith('.js.br')).length).toBeGreaterThan(10);
});

it('it holds nothing else: no sources, tests, source maps, data or settings', () => {
  const allowed = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|\.env\.example|(dist|deploy)\/.+|docs\/(coming-from\/)?[\w-]+\.md)$/;
  expect(packed.filter((path) => !allowed.test(path))).toEqual([]);
  expect(packed.filter((path) => /\.(ts|map|db|key|pem|env)$|(^|\/)test\//.test(path))).toEqual([]);
});

it('it has the licences of the packages in the program, in its pages and beside it', () => {
  const notices = readFileSync(join(folder, 'node_modules', 'messaging-gateway', 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const entries = new Map(notices.split(/^={80}\n/m).map((entry) => [entry.split(' ')[0], entry]));
  for (const name of ['fastify', 'zod', 'baileys', 'react', '@mantine/core', 'sharp']) {
    expect(entries.get(name)).toMatch(/permission is hereby granted|apache license/i);
  }
  expect(entries.get('libheif-js')).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
  expect(entries.get('libsignal')).toContain('GNU GENERAL PUBLIC LICENSE');
});

it('both names start the program, which needs nothing but its own dependencies', async () => {
  expect(manifest.bin).toEqual({ 'messaging-gateway': 'dist/main.js', gateway: 'dist/main.js' });
  const file = join(folder, 'node_modules', 'messaging-gateway', 'dist', 'main.js');
  const server = startServer({ DATA_DIR: join(folder, 'data'), NETWORKS: 'whatsapp,sandbox', WHATSAPP_VERSION_URL: '' }, { file });
  try {
    const address = await server.ready;
    const health = await fetch(`${address}/health`);
    expect([health.status, await health.json()]).toMatchObject([200, { data: { status: 'ok', version: manifest.version } }]);
    for (const path of ['/', '/docs', '/openapi.json', '/portal/passkey-extension.zip']) {
      const answer = await fetch(`${address}${path}`);
      expect([path, answer.status, (await answer.bytes()).length > 200]).toEqual([path, 200, true]);
    }
    expect(await server.terminate()).toEqual({ code: 0, signal: null });
  } finally {
    await server.kill();
  }
});
