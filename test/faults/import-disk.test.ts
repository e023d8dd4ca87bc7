import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { whatsmeowFile } from '../support/whatsmeow-store.ts';
import { withSmallDisk } from './mount.ts';
import { builtFile } from './server-process.ts';

it('a disk without room for a copy of what is imported: one line that says so', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-import-'));
  try {
    const [file, empty, disk] = [join(folder, 'main.db'), join(folder, 'empty'), join(folder, 'disk')];
    for (const one of [empty, disk]) mkdirSync(one);
    whatsmeowFile(file, []).exec('create table filler as select zeroblob(2000000) as bytes').close();
    const [program = '', ...words] = withSmallDisk(empty, disk, 1_000_000);
    const command = [process.execPath, builtFile, 'import', 'whatsmeow', file, '--account', newId(), '--dry-run'];
    const { status, stderr } = spawnSync(program, [...words, 'env', `TMPDIR=${disk}`, ...command], { cwd: folder, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, `gateway: the disk has no room to copy ${file}\n`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
