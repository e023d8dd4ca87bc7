import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-private-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => openSqliteStore(folder, { durability: 'normal', create: true });
const readers = () =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.startsWith('gateway.db'))
      .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
const own = { 'gateway.db': '600', 'gateway.db-shm': '600', 'gateway.db-wal': '600' };

test('only the owner may read the embedded database, a new one and one that others could read', async () => {
  const store = await open();
  await store.migrate();
  expect(readers()).toEqual(own);
  for (const name of Object.keys(own)) chmodSync(join(folder, name), 0o644);
  const another = await open();
  expect(readers()).toEqual(own);
  await another.close();
  await store.close();
});
