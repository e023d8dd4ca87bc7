import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the gateway if it has changed: the tests start the compiled program. */
export default function setup(): void {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../../scripts/build.ts', import.meta.url)), '--if-stale'], {
    stdio: 'inherit',
  });
}
