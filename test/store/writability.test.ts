import { renameSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import { requestRecord } from '../support/request-log.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const makeLog = () => ({ error: vi.fn(), info: vi.fn() });

let database: TestDatabase;
let log: ReturnType<typeof makeLog>;
beforeEach(() => {
  log = makeLog();
});
afterEach(() => database.dispose());

describe.each(storeKinds)('a request log that cannot be written, on %s', (kind) => {
  it('is told to the operator with the number of requests', async () => {
    database = await createTestDatabase(kind);
    const store = await database.open({ log });
    await sql`alter table requests rename to somewhere_else`.execute(store.db);
    for (const request_id of ['a', 'b']) store.hot.log(requestRecord({ request_id, at: 1 }));
    await waitFor(() => expect(log.error).toHaveBeenCalledWith({ requests_missing_in_log: 2 }, 'the request log could not be written'));
  });
});

it('a database whose file went away is unwritable until it is back, and both are told once', async () => {
  database = await createTestDatabase('sqlite');
  const store = await database.open({ log });
  await store.becomeServer();
  const file = `${database.location}/gateway.db`;
  renameSync(file, `${file}.away`);
  await waitFor(() => expect(store.writability.trouble).toBeInstanceOf(StoreUnavailable), { timeout: 5_000 });
  await expect(store.hot.ready()).rejects.toThrow(/deleted, replaced or unmounted .* put the data folder back/);
  renameSync(`${file}.away`, file);
  await waitFor(() => expect(store.writability.trouble).toBeNull(), { timeout: 5_000 });
  await store.hot.ready();
  expect(log.error.mock.calls).toEqual([[{}, expect.stringContaining(file)]]);
  expect(log.info.mock.calls).toEqual([[{}, 'the store can be written again']]);
});
