import type Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { startCheckpointer } from '../../src/store/sqlite/checkpointer.ts';
import { waitFor } from '../support/wait-for.ts';

it('reports once that no thread can be started, and tries again', async () => {
  const failures: unknown[] = [];
  let looks = 0;
  const database = {
    // No thread can be given this: making one throws, as where the system has none left.
    name: Symbol('name'),
    pragma() {
      looks++;
      return [{ log: 100_000, checkpointed: 0 }];
    },
  };
  const checkpointer = startCheckpointer(database as unknown as Sqlite.Database, (error) => failures.push(error));
  try {
    await waitFor(() => expect(looks).toBeGreaterThan(1));
    expect(failures).toHaveLength(1);
  } finally {
    await checkpointer.stop();
  }
});
