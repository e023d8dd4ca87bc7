import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createGround } from './stores.ts';

const childFile = fileURLToPath(new URL('./memory-child.ts', import.meta.url));
const mebibyte = 1024 * 1024;

it('20,000 sends and 20,000 refused requests do not grow the heap', { timeout: 180_000 }, async () => {
  const ground = await createGround('sqlite');
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', childFile], {
      env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...ground.env },
    });
    const { heap, accepted, refused } = JSON.parse(stdout) as { heap: number[]; accepted: number; refused: number };
    expect({ accepted, refused }).toEqual({ accepted: 20_000, refused: 20_000 });
    const [, settled = 0, ...later] = heap;
    // The first two rounds warm up caches and compiled code; 24,000 requests more may then cost little more than 40 bytes each.
    expect(Math.max(...later) - settled, heap.join()).toBeLessThan(mebibyte);
    process.stdout.write(`heap after each 8,000 requests: ${heap.map((bytes) => (bytes / mebibyte).toFixed(1)).join(', ')} MiB\n`);
  } finally {
    await ground.dispose();
  }
});
