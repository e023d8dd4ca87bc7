import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { openFileLimit } from '../../src/core/index.ts';

/** Enough to set the limit back, which needs a few. */
const spare = 32;

/** Runs `work` while this process can open no file, connection or pipe. */
export async function withoutDescriptors<T>(work: () => Promise<T>): Promise<T> {
  const usual = openFileLimit();
  const highest = Math.max(...readdirSync('/proc/self/fd').map(Number));
  const held: number[] = [];
  limitTo(highest + spare);
  try {
    holdAll(held);
    return await work();
  } finally {
    for (const descriptor of held) closeSync(descriptor);
    limitTo(usual ?? 'unlimited');
  }
}

/** Sets the soft limit, which may be raised again. */
function limitTo(files: number | string): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${files}:`], { stdio: 'ignore' });
}

function holdAll(held: number[]): void {
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EMFILE')) throw error;
  }
}
