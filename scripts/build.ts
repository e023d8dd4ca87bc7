import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Zippable, zipSync } from 'fflate';
import { build } from 'vite';

// Compiles src/ and the pages in web/ to dist/. With --if-stale it does nothing when dist/ is newer than every source file, so that commands start fast.
const root = join(import.meta.dirname, '..');
const entry = join(root, 'dist', 'main.js');
const pages = join(root, 'dist', 'web');

const newest = Math.max(
  ...['src', 'web', 'extension'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  ),
);
const made = [entry, join(pages, 'index.html'), join(root, 'dist', 'extension', 'passkey-extension.zip')];
const fresh = made.every((file) => existsSync(file) && statSync(file).mtimeMs > newest);

if (!(fresh && process.argv.includes('--if-stale'))) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  // Under Vitest it is `test`, and the pages would come out as development ones: larger, and slower.
  process.env.NODE_ENV = 'production';
  await build({ configFile: join(root, 'web', 'vite.config.ts'), logLevel: 'warn' });
  compress(join(pages, 'assets'));
  packExtension(join(root, 'extension'), join(root, 'dist', 'extension'));
}

/** Zips the browser extension under the program's version, and keeps the script that is also pasted into consoles. The same sources give the same bytes. */
function packExtension(from: string, to: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files: Zippable = {};
  for (const name of readdirSync(from).toSorted()) {
    const text = readFileSync(join(from, name), 'utf8');
    const content = name === 'manifest.json' ? `${JSON.stringify({ ...JSON.parse(text), version }, null, 2)}\n` : text;
    files[`messaging-gateway-passkey/${name}`] = [Buffer.from(content), { mtime: new Date(1980, 0, 1) }];
  }
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'passkey-extension.zip'), zipSync(files, { level: 9 }));
  copyFileSync(join(from, 'sign.js'), join(to, 'sign.js'));
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
