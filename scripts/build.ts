import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Compiles src/ to dist/. With --if-stale it does nothing when dist/ is newer than every source file, so that commands start fast.
const root = join(import.meta.dirname, '..');
const entry = join(root, 'dist', 'main.js');

const newest = Math.max(
  ...readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).mtimeMs),
);
const fresh = existsSync(entry) && statSync(entry).mtimeMs > newest;

if (!(fresh && process.argv.includes('--if-stale'))) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
}
