import type { TestProject } from 'vitest/node';
import { startMariadb } from '../mariadb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the MariaDB server of this run, without a database; tests that share it make databases of their own. */
    mariadb: string;
  }
}

/** Starts MariaDB for the run and stops it afterwards; the first project that needs it starts it for all. */
export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if ('mariadb' in vitest.getRootProject().getProvidedContext()) return undefined;
  const server = await startMariadb();
  vitest.provide('mariadb', server.url);
  return () => server.dispose();
}
