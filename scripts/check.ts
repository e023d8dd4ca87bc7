import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

// Runs npm scripts side by side, as many as there are cores: `node scripts/check.ts typecheck lint build`. What one of them says comes in one piece,
// when it is done. Ends with 1 when any of them fails; the others are finished all the same.
const waiting = process.argv.slice(2);
let failed = false;

async function work(): Promise<void> {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const { code, said, seconds } = await run(name);
    failed ||= code !== 0;
    process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}  npm run ${name} (${seconds} s)\n`);
    if (code !== 0) process.stdout.write(`${said}\n`);
  }
}

/** Runs the script of this name; `said` is all its output. */
function run(name: string): Promise<{ code: number | null; said: string; seconds: string }> {
  const began = performance.now();
  let said = '';
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said, seconds: ((performance.now() - began) / 1000).toFixed(1) }));
  });
}

await Promise.all(Array.from({ length: Math.min(availableParallelism(), waiting.length) }, work));
process.exitCode = failed ? 1 : 0;
