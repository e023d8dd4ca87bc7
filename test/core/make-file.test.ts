import fs, { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFile } from '../../src/core/index.ts';

test('is on the disk with its name, or not there at all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-make-file-'));
  const file = join(folder, 'secret.key');
  const synced = vi.spyOn(fs, 'fsyncSync');
  const half = vi.spyOn(fs, 'writeFileSync').mockImplementationOnce(() => {
    throw new Error('the disk is full');
  });
  syncBuiltinESMExports();
  try {
    expect(() => makeFile(file, 'content', 'folder')).toThrow('the disk is full');
    expect([half.mock.calls.length, existsSync(file)]).toEqual([1, false]);
    expect(makeFile(file, 'content', 'folder')).toBe(true);
    expect(synced).toHaveBeenCalledTimes(2);
    expect(makeFile(file, 'other', 'folder')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('content');
  } finally {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    rmSync(folder, { recursive: true });
  }
});
