import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { rounds } from '../support/run-options.ts';
import { createGround } from './stores.ts';

const childFile = fileURLToPath(new URL('./memory-child.ts', import.meta.url));
const mebibyte = 1024 * 1024;
/** Sends in each of the four rounds, and as many refused requests. */
const perRound = rounds({ short: 2_000, long: 8_000 });
/** What a request more may cost, in bytes: less than what is kept of it would take. */
const perRequest = 45;

it(`${4 * perRound} sends and as many refused requests do not grow the heap`, async () => {
  const ground = await createGround('sqlite');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', childFile, String(perRound)], {
      env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...ground.env },
    });
    const { heap, accepted, refused } = JSON.parse(stdout) as { heap: number[]; accepted: number; refused: number };
    expect({ accepted, refused }).toEqual({ accepted: 4 * perRound, refused: 4 * perRound });
    const [, settled = 0, ...later] = heap;
    // The first two rounds warm up caches and compiled code.
    expect(Math.max(...later) - settled, heap.join()).toBeLessThan(2 * 2 * perRound * perRequest);
    process.stdout.write(
      `heap after each ${2 * perRound} requests: ${heap.map((bytes) => (bytes / mebibyte).toFixed(1)).join(', ')} MiB\n`,
    );
  } finally {
    await ground.dispose();
  }
});
