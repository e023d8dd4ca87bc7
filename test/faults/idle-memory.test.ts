import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { startServer } from './server-process.ts';
import { createGround } from './stores.ts';

/** The most that may be resident while nothing is asked of it, in bytes. */
const most = 110_000_000;

function resident(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

it('the program gives back what starting took, and needs little while idle', async () => {
  const ground = await createGround('sqlite');
  // As npm start, the image and the systemd unit start it.
  const env = { ...ground.env, NETWORKS: 'sandbox,whatsapp', MALLOC_ARENA_MAX: '1' };
  const server = startServer(env, { nodeOptions: ['--max-semi-space-size=8'] });
  try {
    await server.ready;
    // It is given back after some seconds without work, of which a start leaves some.
    await waitFor(() => expect(resident(server.child.pid)).toBeLessThanOrEqual(most), { timeout: 30_000 });
    expect(await server.terminate()).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toBe('');
  } finally {
    await server.kill();
    await ground.dispose();
  }
});
