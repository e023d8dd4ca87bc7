import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('../../../scripts/build.ts', import.meta.url));

/** Builds what has changed: worker threads, pages and server processes are the compiled ones, which must be those of the sources under test. */
export default function setup(): void {
  execFileSync(process.execPath, [build, '--if-stale'], { stdio: 'inherit' });
}
