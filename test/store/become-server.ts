import type { Store } from '../../src/store/index.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

// A process of its own that becomes a database's server, claims the calls it is given, says so, and stays until it is killed.

const [kind, location = '', calls = '[]'] = process.argv.slice(2);
const store: Store = await (kind === 'sqlite' ? openSqliteStore(location, { durability: 'full' }) : openPostgresStore(location));
await store.becomeServer();
for (const call of JSON.parse(calls)) await store.hot.claim(call);
process.stdout.write('ready\n');
setInterval(() => undefined, 1000);
