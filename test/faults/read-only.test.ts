import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withReadOnly } from './mount.ts';
import { startServer } from './server-process.ts';
import { createGround } from './stores.ts';

it('a data folder that cannot be written: one clear line, exit code 1, nothing changed', async () => {
  const ground = await createGround('sqlite');
  const folder = ground.database.location;
  try {
    const first = ground.start();
    await first.ready;
    await first.terminate();
    const before = contents(folder);
    expect(before.map(([name]) => name)).toContain('gateway.db');
    expect(await refused(folder, ground.env)).toMatch(lineAbout(folder));
    expect(contents(folder)).toEqual(before);

    const again = ground.start();
    await again.ready;
    expect(await again.terminate()).toEqual({ code: 0, signal: null });
  } finally {
    await ground.dispose();
  }
});

it('a crashed data folder that has become read-only: the same, and its write-ahead log is not lost', async () => {
  const ground = await createGround('sqlite');
  const folder = ground.database.location;
  try {
    const first = ground.start();
    await first.ready;
    await first.kill();
    const before = contents(folder);
    expect(await refused(folder, ground.env)).toMatch(lineAbout(folder));
    expect(contents(folder)).toEqual(before);
  } finally {
    await ground.dispose();
  }
});

it('an empty folder that cannot be written: the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-data-'));
  try {
    expect(await refused(folder, { DATA_DIR: folder })).toMatch(lineAbout(folder));
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function refused(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const server = startServer(env, { command: withReadOnly(folder) });
  expect(await server.ended).toEqual({ code: 1, signal: null });
  expect(server.stdout()).toBe('');
  return server.stderr();
}

function lineAbout(folder: string): RegExp {
  return new RegExp(`^gateway: cannot use the data folder ${folder}[^\\n]*\\n$`);
}

/** Every file with its digest; none of them may have changed. */
function contents(folder: string): [string, string][] {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const file = join(folder, name);
      return [
        name,
        statSync(file).isDirectory() ? readdirSync(file).join() : createHash('sha256').update(readFileSync(file)).digest('hex'),
      ];
    });
}
