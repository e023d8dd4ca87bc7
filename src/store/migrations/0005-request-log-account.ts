import type { Kysely } from 'kysely';

/** The way to an account's requests, newest first: before, a request was only ever looked for by its id. */
export const requestLogAccount = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.createIndex('request_log_account').on('request_log').columns(['account_id', 'id']).execute();
  },
};
