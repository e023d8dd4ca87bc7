import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DiskSync } from '../../src/store/sqlite/disk-sync.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('tells everybody once, in order, and never before it has returned', async () => {
  const file = join(folder, 'log');
  writeFileSync(file, 'content');
  const disk = new DiskSync(file);
  const told: string[] = [];
  const tell = (name: string) => (error: Error | null) => void told.push(`${name} ${error}`);
  disk.after(tell('a'));
  disk.after(tell('b'));
  disk.after(tell('c'));
  expect(told).toEqual([]);
  await disk.idle();
  expect(told).toEqual(['a null', 'b null', 'c null']);
  disk.after(tell('d'));
  await disk.idle();
  expect(told).toHaveLength(4);
  disk.close();
});

test('tells the error of a disk that cannot be reached, and tries anew for the next', async () => {
  const file = join(folder, 'log');
  const disk = new DiskSync(file);
  const errors: (Error | null)[] = [];
  disk.after((error) => void errors.push(error));
  await disk.idle();
  expect(errors[0]).toMatchObject({ code: 'ENOENT' });
  writeFileSync(file, '');
  disk.after((error) => void errors.push(error));
  await disk.idle();
  expect(errors[1]).toBeNull();
  disk.close();
});

test('a server begins with everything on the disk that an earlier process has committed', async () => {
  const { fdatasync } = fs;
  const synced: number[] = [];
  vi.spyOn(fs, 'fdatasync').mockImplementation((descriptor, done) => {
    synced.push(fs.fstatSync(descriptor).size);
    fdatasync(descriptor, done);
  });
  syncBuiltinESMExports();
  try {
    const store = await openSqliteStore(folder, { durability: 'full', create: true });
    await store.becomeServer();
    expect(synced).toEqual([expect.any(Number)]);
    expect(synced[0]).toBeGreaterThan(0);
    await store.close();
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  }
});
