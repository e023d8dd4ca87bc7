import type { Kysely } from 'kysely';

interface Tables {
  request_log: { id: number; records: string };
}

/** How many rows are rewritten at a time. */
const batch = 200;

/** The text of the request log as runs of alike requests (log-records.ts); before, it held every field of each request. */
export const requestLogRuns = {
  async up(database: Kysely<unknown>): Promise<void> {
    const db = database as Kysely<Tables>;
    for (let after = -1; ; ) {
      const rows = await db
        .selectFrom('request_log')
        .select(['id', 'records'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute();
      for (const { id, records } of rows) {
        await db
          .updateTable('request_log')
          .set({ records: asRuns(records) })
          .where('id', '=', id)
          .execute();
        after = id;
      }
      if (rows.length < batch) return;
    }
  },
};

function asRuns(records: string): string {
  // Each request was a row of its fields in this order; what was null at the end was left out.
  const requests = JSON.parse(records) as unknown[][];
  return JSON.stringify(
    requests.map((fields) => {
      const [requestId, at, duration, account, key, method, path, status, code = null, instance = null] = fields;
      const [type = null, message = null, recipient = null, idempotency = null, stages = []] = fields.slice(10);
      const common = [account, key, method, path, status, code, instance, type, idempotency];
      return [common, [[requestId, at, duration, message, recipient, ...((stages ?? []) as unknown[])]]];
    }),
  );
}
