import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The migrated embedded database from which test databases are copied: a file. */
    sqlite: string;
  }
}

/** Makes the database that tests copy, because the migrations take longer than the rest of a start; the first project that needs it makes it for all. */
export default async function setup({ vitest }: TestProject): Promise<(() => void) | undefined> {
  if ('sqlite' in vitest.getRootProject().getProvidedContext()) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-template-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const store = await openSqliteStore(folder, { durability: 'normal', create: true });
    await store.migrate();
    await store.close();
    vitest.provide('sqlite', join(folder, 'gateway.db'));
    return remove;
  } catch (error) {
    remove();
    throw error;
  }
}
