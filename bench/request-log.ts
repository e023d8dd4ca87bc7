import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { search } from '../src/accounts/index.ts';
import { readConfig } from '../src/config/index.ts';
import { type ActivityFilter, findRequest, listActivity, listSends } from '../src/requests/index.ts';
import { requestRecord, type Store } from '../src/store/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { createDatabase } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { dayMs } from './portal-data/accounts.ts';
import { fillPortal, usualSizes } from './portal-data/index.ts';
import { line, median } from './table.ts';

// What a long request log costs: `node bench/request-log.ts --help`.

const { values: options } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    millions: { type: 'string', default: '1' },
    tries: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/request-log.ts [--store sqlite|postgres] [--millions 1] [--tries 20]
Fills a new database with 2,000 accounts, 20,000 numbers and so many million requests of 30 days, and prints how large the request log is and how
long lists and searches take, without HTTP. Each try is of another account, number or send. PostgreSQL is started for it. BENCH_DIR says where
the embedded database is made (half a gigabyte a million). How far it is stands on stderr.
`);
  process.exit(0);
}
const tries = Number(options.tries);
const everything = { providerIds: null, accountIds: [], ownedAccountIds: [] };
const requests = Number(options.millions) * 1_000_000;

const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'gateway-bench-'));
const postgres = options.store === 'postgres' ? await startPostgres({ durable: true }) : null;
try {
  const url = postgres === null ? {} : { DATABASE_URL: (await createDatabase(postgres.url)).url };
  const store = await openStore(readConfig({ DATA_DIR: directory, ...url }), { create: true });
  try {
    const begun = performance.now();
    const progress = (what: string) => process.stderr.write(`\r${((performance.now() - begun) / 1000).toFixed(0)} s: ${what}          `);
    await store.migrate();
    const now = Date.now();
    const onProgress = (what: string, count: number) => progress(`${count} ${what}`);
    const sizes = { ...usualSizes, audit: 0, usageDays: 0, requests };
    await fillPortal({ store, vault: null, sizes, now, onProgress });
    progress('filled\n');
    await printSizes(store);
    await measure(store, now);
  } finally {
    await store.close();
  }
} finally {
  await postgres?.dispose();
  rmSync(directory, { recursive: true, force: true });
}

/** How much of the disk the table and each of its indexes take. */
async function printSizes({ db, dialect }: Store): Promise<void> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<Size>`select name, sum(pgsize) as bytes from dbstat where name like 'requests%' group by name`.execute(db)
      : await sql<Size>`select 'requests' as name, pg_table_size('requests') as bytes union all
          select indexrelid::regclass::text, pg_relation_size(indexrelid) from pg_index where indrelid = 'requests'::regclass`.execute(db);
  line(`${options.millions} million requests, ${options.store}`, 'MB', 'bytes a request');
  line('---', '--:', '--:');
  const printSize = ({ name, bytes }: Size) => line(name, (bytes / 1e6).toFixed(0), (bytes / requests).toFixed(0));
  for (const size of rows.toSorted((a, b) => b.bytes - a.bytes)) printSize(size);
  printSize({ name: 'all', bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0) });
}

interface Size {
  readonly name: string;
  readonly bytes: number;
}

async function measure(store: Store, now: number): Promise<void> {
  const sends = await sample(store);
  const send = (i: number) => sends[i % sends.length] ?? sends[0];
  const numbers = await store.db
    .selectFrom('instances')
    .select(['label', 'phone_number'])
    .where('phone_number', 'is not', null)
    .limit(tries)
    .execute();
  const number = (i: number) => numbers[i % numbers.length];
  const page = { cursor: null, limit: 50, now };
  const ofAccount = (filter: ActivityFilter) => (i: number) => listActivity(store, send(i).account_id, filter, page);
  const ofAll = (filter: (i: number) => ActivityFilter) => (i: number) => listSends(store, null, filter(i), page);
  const searched = (text: (i: number) => string | null | undefined) => (i: number) => search(store, everything, text(i) ?? '', now);
  const questions: Readonly<Record<string, (i: number) => Promise<unknown>>> = {
    'a request': (i) => findRequest(store, send(i).request_id),
    'sends of an account, newest': ofAccount({}),
    'sends of an account, of one day two weeks ago': ofAccount({ since: now - 14 * dayMs, until: now - 13 * dayMs }),
    'failures of an account': ofAccount({ outcome: 'failed' }),
    'stickers of an account, which has none': ofAccount({ messageType: 'sticker' }),
    'sends of one number': (i) => ofAccount({ instanceId: send(i).instance_id ?? '' })(i),
    'failures of one number': (i) => ofAccount({ instanceId: send(i).instance_id ?? '', outcome: 'failed' })(i),
    'sends to a recipient': (i) => ofAccount({ recipient: send(i).recipient ?? '' })(i),
    'all sends, newest': ofAll(() => ({})),
    'all failures, newest': ofAll(() => ({ outcome: 'failed' })),
    'all sends to a recipient': ofAll((i) => ({ recipient: send(i).recipient ?? '' })),
    'search: a request id': searched((i) => send(i).request_id),
    'search: a message id': searched((i) => send(i).message_id),
    'search: a recipient': searched((i) => send(i).recipient),
    'search: a recipient nobody has': searched(() => '999999999999'),
    "search: a number's digits": searched((i) => number(i)?.phone_number),
    'search: a label': searched((i) => number(i)?.label),
    'search: a word nobody has': searched(() => 'zzzzqqqq'),
  };
  line('question', 'median ms', 'worst ms');
  line('---', '--:', '--:');
  for (const [question, ask] of Object.entries(questions)) {
    const times: number[] = [];
    for (let i = 0; i < tries; i++) {
      const begun = performance.now();
      await ask(i);
      times.push(performance.now() - begun);
    }
    line(question, median(times).toFixed(1), Math.max(...times).toFixed(1));
  }
}

/** Accepted sends from all parts of the log. */
async function sample({ db }: Store) {
  const places = Array.from({ length: tries }, (_, place) => Math.floor(((place + 0.5) * requests) / tries));
  const rows = await Promise.all(
    places.map((id) =>
      db.selectFrom('requests').selectAll().where('id', '>=', id).where('code', 'is', null).orderBy('id').limit(1).execute(),
    ),
  );
  const [first, ...others] = rows.flat().map(requestRecord);
  if (first === undefined) throw new Error('the log has no sends');
  return [first, ...others] as const;
}
