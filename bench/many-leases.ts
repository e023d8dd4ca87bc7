import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { createAccount } from '../src/accounts/index.ts';
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { createDatabase } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { line, median } from './table.ts';

// Measures what the ownership of very many numbers asks of PostgreSQL: `node bench/many-leases.ts --help`.

const { values: options } = parseArgs({
  options: {
    numbers: { type: 'string', default: '1000000' },
    servers: { type: 'string', default: '200' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/many-leases.ts [--numbers 1000000] [--servers 200]
A database with so many numbers, owned by so many servers, and one real server's statements against it, one after the other. "All servers" is what
the statement costs when each of them does it as often as it does: the share of one core of the database's machine, were it as fast as this one.
`);
  process.exit(0);
}

const numbers = Number(options.numbers);
const servers = Number(options.servers);
/** How often a server renews and looks, in ms. */
const everyMs = 2_000;
const ttlMs = 8_000;

const postgres = await startPostgres({ durable: true });
const store = await openPostgresStore((await createDatabase(postgres.url)).url);
try {
  await fill();
  const { leases } = store;
  if (leases === null) throw new Error('PostgreSQL must have leases');
  line('what', 'ms, median', 'all servers, of one core');
  line('---', '--:', '--:');
  await measure('renewing', 50, everyMs, () => leases.renew(ttlMs));
  await measure('looking how the numbers are spread', 20, everyMs, () => leases.balance());
  await measure('finding the owner of a number', 200, null, (turn) => leases.ownerOf('account', `number-${(turn * 7919) % numbers}`));
  await measure('counting the numbers of each server, for gateway node list', 5, null, () => leases.numbersOfNodes());
  const lost = await timed(() => sql`delete from nodes where id = 'node-1'`.execute(store.db));
  line(`a server is gone: freeing its ${Math.floor(numbers / servers)} numbers`, lost.toFixed(1), '');
  await measure('taking 200 of them', 10, null, () => leases.acquire(200));
} finally {
  await store.close();
  await postgres.dispose();
}

async function fill(): Promise<void> {
  await store.migrate();
  const now = Date.now();
  const { id } = await createAccount(store, { name: 'bench', plan: 'scale' }, { actor: { kind: 'system' }, now });
  const own = (await store.leases?.join({ name: 'bench', address: '', ttlMs: 3_600_000, alone: false, networks: ['sandbox'] })) ?? '';
  await sql`insert into nodes (id, name, started_at, expires_at)
    select 'node-' || n, 'bench', ${now}::bigint, ${now + 3_600_000}::bigint from generate_series(1, ${servers - 1}::int) n`.execute(
    store.db,
  );
  // In parts, because the store's connections end what takes long.
  const atOnce = 20_000;
  for (let from = 0; from < numbers; from += atOnce) {
    const part = sql`generate_series(${from}::int, ${Math.min(numbers, from + atOnce) - 1}::int) n`;
    await sql`insert into instances (id, account_id, network, linked, conflict, created_at)
      select 'number-' || n, ${id}, 'sandbox', 1, 0, ${now}::bigint from ${part}`.execute(store.db);
    await sql`insert into leases (instance_id, node_id, epoch)
      select 'number-' || n, case when n % ${servers}::int = 0 then ${own} else 'node-' || (n % ${servers}::int) end, 1 from ${part}`.execute(
      store.db,
    );
  }
  await sql`vacuum analyze leases`.execute(store.db);
}

/** Prints how long the call takes, and what `servers` that make it every so many milliseconds ask of a core, were all of that CPU. */
async function measure(what: string, times: number, every: number | null, call: (turn: number) => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let turn = 0; turn < times; turn++) took.push(await timed(() => call(turn)));
  const middle = median(took);
  line(what, middle.toFixed(2), every === null ? '' : `${((100 * servers * middle) / every).toFixed(0)} %`);
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await call();
  return performance.now() - begun;
}
