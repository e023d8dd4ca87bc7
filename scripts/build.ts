import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type Plugin } from 'vite';
import { Notices } from './notices.ts';

// Bundles src/ and the pages in web/ into dist/. With --if-stale it does nothing when dist/ is newer than every source file, so that commands start fast.
const root = join(import.meta.dirname, '..');
const program = join(root, 'dist');
const pages = join(root, 'dist', 'web');

/** What is started by itself: the program, its threads and its processes. All lie in dist/ itself, with what they share beside them. */
const started = {
  main: 'main.ts',
  program: 'app/program.ts',
  'whatsapp-worker': 'networks/whatsapp/worker/main.ts',
  'checkpoint-worker': 'store/sqlite/checkpoint-worker.ts',
  'still-process': 'media/conversion/still-process.ts',
  'import-reader': 'import/upload/reader-process.ts',
};
/** What is loaded from node_modules: binaries, and the library whose licence (GPL) is not the program's. */
const installed = ['better-sqlite3', 'sharp', 'libheif-js', 'libsignal'];
/** Besides, what the libraries do without. */
const separate = [...installed, ...['audio-decode', 'bufferutil', 'jimp', 'link-preview-js', 'pg-native', 'utf-8-validate']];

const newest = Math.max(
  ...['package-lock.json', 'scripts/build.ts', 'scripts/notices.ts'].map((file) => statSync(join(root, file)).mtimeMs),
  ...['src', 'web', 'extension', 'samples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  ),
);
const made = [
  join(program, 'main.js'),
  join(pages, 'index.html'),
  join(root, 'dist', 'extension', 'start.js'),
  join(program, 'samples', 'photo.jpg'),
  join(program, 'THIRD-PARTY-NOTICES.txt'),
];
const fresh = made.every((file) => existsSync(file) && statSync(file).mtimeMs > newest);

if (!(fresh && process.argv.includes('--if-stale'))) {
  rmSync(program, { recursive: true, force: true });
  // Under Vitest it is `test`, and the pages would come out as development ones: larger, and slower.
  process.env.NODE_ENV = 'production';
  const notices = new Notices();
  await bundleProgram(notices);
  await packScalar(join(program, 'scalar.js.gz'));
  await build({ configFile: join(root, 'web', 'vite.config.ts'), logLevel: 'warn', plugins: [notices.plugin()] });
  for (const name of [...installed, '@scalar/fastify-api-reference']) notices.addInstalled(name, root);
  writeFileSync(join(program, 'THIRD-PARTY-NOTICES.txt'), notices.text());
  compress(join(pages, 'assets'));
  cpSync(join(root, 'samples'), join(program, 'samples'), { recursive: true });
  copyExtension(join(root, 'extension'), join(root, 'dist', 'extension'));
}

/** The program with its libraries in few files: Node loads them in half the time that a thousand small ones take. Names stay as they are, for stacks. */
async function bundleProgram(notices: Notices): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [notices.plugin(), ascii()],
    ssr: { noExternal: true, external: separate },
    build: {
      ssr: true,
      outDir: program,
      target: 'node24',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(started).map(([name, file]) => [name, join(root, 'src', file)])),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}

/** Writes the program in ASCII alone: with any other character Node keeps the whole source of a file at two bytes each, in every thread. */
function ascii(): Plugin {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'ascii',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped);
    },
  };
}

/** Scalar's script, for the page on which requests are tried. Its package gives it only as a route of a Fastify plugin. */
async function packScalar(file: string): Promise<void> {
  const server = (await import('fastify')).default();
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: 'openapi.json' } });
  const { rawPayload } = await server.inject('/docs/js/scalar.js');
  writeFileSync(file, gzipSync(rawPayload, { level: 9 }));
}

/** Copies the browser extension, under the program's version. The server zips it for whoever downloads it. */
function copyExtension(from: string, to: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  cpSync(from, to, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(from, 'manifest.json'), 'utf8'));
  writeFileSync(join(to, 'manifest.json'), JSON.stringify({ ...manifest, version }));
}

/** Puts .br and .gz beside every file that becomes smaller by it; the server then compresses nothing itself. */
function compress(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(js|css|svg)$/.test(name)) continue;
    const content = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(content));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
  }
}
