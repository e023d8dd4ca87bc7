import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { builtFile } from '../faults/server-process.ts';

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
