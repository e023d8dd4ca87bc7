import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtFile } from '../faults/server-process.ts';
import { onChosenPort, PortTaken } from '../support/chosen-port.ts';
import { waitFor } from '../support/wait-for.ts';

it.each(['stdout', 'stderr'] as const)('ends as it would have when nobody reads its %s any more', async (output) => {
  const words = output === 'stdout' ? ['--help'] : ['no-such-command'];
  const child = spawn(process.execPath, [builtFile, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  // Before it can have written anything, as `| head` does after the first lines.
  child[output].destroy();
  let heard = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (heard += text));
  const [code] = await once(child, 'close');
  expect({ code, heard }).toEqual({ code: output === 'stdout' ? 0 : 2, heard: '' });
});

it.each(['json', 'text'])('a server whose log (%s) is on a full disk goes on, and stops when it is told to', async (format) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-full-log-'));
  const full = openSync('/dev/full', 'w');
  const serve = async (port: number) => {
    const settings = { DATA_DIR: dataDir, PORT: String(port), NETWORKS: 'sandbox', LOG_FORMAT: format, NODE_NO_WARNINGS: '1' };
    const child = spawn(process.execPath, [builtFile, 'serve'], {
      env: { PATH: process.env.PATH, ...settings },
      stdio: ['ignore', full, 'pipe'],
    });
    let heard = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (heard += text));
    const ended = once(child, 'close');
    try {
      await waitFor(async () => {
        if (heard.includes(`port ${port} on `)) throw new PortTaken(port);
        expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
      });
      // Both are logged: what it has opened, and that it has stopped.
      child.kill('SIGTERM');
      expect({ ending: await ended, heard }).toEqual({ ending: [0, null], heard: '' });
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  };
  try {
    await onChosenPort(serve);
  } finally {
    closeSync(full);
    rmSync(dataDir, { recursive: true, force: true });
  }
});
