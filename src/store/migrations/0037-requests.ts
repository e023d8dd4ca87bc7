import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** How many rows of the earlier log are read at a time; each holds up to 512 requests. */
const segmentsAtOnce = 20;
const requestsAtOnce = 500;

const columns = [
  ...['request_id', 'at', 'duration_ms', 'account_id', 'key_id', 'person_id', 'person_email', 'method', 'path', 'status', 'code'],
  ...['error_message', 'instance_id', 'message_type', 'message_id', 'recipient', 'media_host', 'idempotency', 'stages'],
];

/** One row per request, with ordinary indexes, in the place of a log in JSON and an index made by hand. */
export function requests(dialect: Dialect) {
  const sequence = sql.raw(dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key');

  return {
    async up(database: Kysely<unknown>): Promise<void> {
      const db = database as Kysely<Tables>;
      await db.schema
        .createTable('requests')
        .addColumn('id', sequence)
        .addColumn('request_id', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('duration_ms', 'double precision', (c) => c.notNull())
        .addColumn('account_id', 'text')
        .addColumn('key_id', 'text')
        .addColumn('person_id', 'text')
        .addColumn('person_email', 'text')
        .addColumn('method', 'text', (c) => c.notNull())
        .addColumn('path', 'text', (c) => c.notNull())
        .addColumn('status', 'integer', (c) => c.notNull())
        .addColumn('code', 'text')
        .addColumn('error_message', 'text')
        .addColumn('instance_id', 'text')
        .addColumn('message_type', 'text')
        .addColumn('message_id', 'text')
        .addColumn('recipient', 'text')
        .addColumn('media_host', 'text')
        .addColumn('idempotency', 'text')
        .addColumn('stages', 'text')
        .execute();
      const { rows } = await sql<{ value: string }>`select value from meta where name = 'request_names_to'`.execute(db);
      const counted = Number(rows[0]?.value ?? 0);
      await moveUpTo(db, dialect, 0, counted);
      const last = await db
        .selectFrom('requests')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst();
      await moveUpTo(db, dialect, counted, Number.MAX_SAFE_INTEGER);
      // Of what the index had not reached, the outcomes were not counted yet.
      await sql`
        insert into send_outcomes (hour, account_id, code, count)
        select at / 3600000, account_id, coalesce(code, ''), count(*) from requests
        where id > ${Number(last?.id ?? 0)} and account_id is not null and message_type is not null
          and (code is not null or idempotency is null or idempotency <> 'replayed')
        group by 1, 2, 3
        on conflict (hour, account_id, code) do update set count = send_outcomes.count + excluded.count`.execute(db);
      await sql`delete from meta where name = 'request_names_to'`.execute(db);
      await db.schema.dropTable('request_names').execute();
      await db.schema.dropTable('request_log').execute();

      const index = (name: string, names: string[]) => db.schema.createIndex(`requests_${name}`).on('requests').columns(names);
      const isSend = sql<boolean>`message_type is not null`;
      const hasFailed = sql<boolean>`message_type is not null and code is not null`;
      await index('request', ['request_id']).execute();
      // In the order of time and not of ids: then no statistics make PostgreSQL go through the primary key instead.
      await index('account', ['account_id', 'at', 'id']).where(isSend).execute();
      await index('recipient', ['recipient', 'at', 'id']).where(sql<boolean>`recipient is not null`).execute();
      await index('message', ['message_id']).where(sql<boolean>`message_id is not null`).execute();
      await index('failed', ['id']).where(hasFailed).execute();
      await index('failed_account', ['account_id', 'at', 'id']).where(hasFailed).execute();
      await index('failed_instance', ['instance_id', 'at', 'id']).where(hasFailed).execute();
    },
  };
}

interface Tables {
  request_log: { id: number; records: string };
  requests: { id: number };
}

/** Moves the requests of the segments after `from`, up to `to`, in their order. */
async function moveUpTo(db: Kysely<Tables>, dialect: Dialect, from: number, to: number): Promise<void> {
  for (let after = from; ; ) {
    const segments = await db
      .selectFrom('request_log')
      .select(['id', 'records'])
      .where('id', '>', after)
      .where('id', '<=', to)
      .orderBy('id')
      .limit(segmentsAtOnce)
      .execute();
    const found = segments.flatMap(({ records }) => requestsIn(records));
    for (let i = 0; i < found.length; i += requestsAtOnce) await insert(db, dialect, found.slice(i, i + requestsAtOnce));
    const last = segments.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function insert(db: Kysely<Tables>, dialect: Dialect, found: readonly object[]): Promise<void> {
  const json = JSON.stringify(found);
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const values = dialect === 'sqlite' ? sql.join(columns.map((name) => sql`value ->> ${sql.lit(name)}`)) : names;
  const rows = dialect === 'sqlite' ? sql`json_each(${json})` : sql`json_populate_recordset(null::requests, ${json}::json)`;
  await sql`insert into requests (${names}) select ${values} from ${rows}`.execute(db);
}

/** A segment was JSON of runs: what its requests have in common, and a row for each with the rest. What was null at the end was left out. */
function requestsIn(text: string): object[] {
  const runs = JSON.parse(text) as [common: unknown[], rows: unknown[][]][];
  return runs.flatMap(([common, rows]) => {
    const [account_id, key_id, method, path, status, code, instance_id, message_type, idempotency, ...later] = common;
    const [person_id, person_email, error_message, media_host] = later;
    const shared = {
      account_id,
      key_id,
      person_id,
      person_email,
      method,
      path,
      status,
      code,
      instance_id,
      message_type,
      media_host,
      idempotency,
    };
    return rows.map(([request_id, at, duration_ms, message_id, recipient, ...stages]) => ({
      ...shared,
      ...{ request_id, at, duration_ms, message_id, recipient },
      error_message: typeof error_message === 'string' ? storable(error_message) : null,
      // A list of microseconds then and now.
      stages: stages.length === 0 ? null : JSON.stringify(stages),
    }));
  });
}

/** PostgreSQL takes no zero characters, and nothing that a cut has left half of. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
