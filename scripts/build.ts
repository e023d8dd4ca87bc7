import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'vite';

// Compiles src/ and the pages in web/ to dist/. With --if-stale it does nothing when dist/ is newer than every source file, so that commands start fast.
const root = join(import.meta.dirname, '..');
const entry = join(root, 'dist', 'main.js');
const pages = join(root, 'dist', 'web');

const newest = Math.max(
  ...['src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
  ),
);
const made = [entry, join(pages, 'index.html')];
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
