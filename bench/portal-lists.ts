import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startApp } from '../src/app/start.ts';
import { readConfig } from '../src/config/index.ts';
import { createVault, systemClock } from '../src/core/index.ts';
import { openStore } from '../src/store/open-store.ts';
import { readSecretKey } from '../src/vault/secret-key.ts';
import { createDatabase } from '../test/support/databases.ts';
import type { TestGateway } from '../test/support/gateway.ts';
import { expectOk, operator, type SignedIn } from '../test/support/portal.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { ToldSecrets } from '../test/support/told-secrets.ts';
import { fillPortal, type PortalData, usualSizes } from './portal-data/index.ts';
import { line, median } from './table.ts';

// How long the portal's pages take with a large installation's data: `node bench/portal-lists.ts --help`.

const { values: options } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    accounts: { type: 'string', default: String(usualSizes.accounts) },
    numbers: { type: 'string', default: String(usualSizes.numbers) },
    audit: { type: 'string', default: '1000000' },
    providers: { type: 'string', default: '1000' },
    invitations: { type: 'string', default: '5000' },
    'usage-days': { type: 'string', default: '400' },
    requests: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '15' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/portal-lists.ts [--store sqlite|postgres] [--accounts 2000] [--numbers 20000] [--audit 1000000] [--providers 1000]\n  [--invitations 5000] [--usage-days 400] [--requests 0] [--rounds 15]
Fills a new database, starts a gateway on it whose numbers connect, and asks for what its pages show, one after the other: the time until the
whole answer is there. PostgreSQL is started for it, and waits for the disk as a real one does.
`);
  process.exit(0);
}

const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'gateway-bench-'));
const postgres = options.store === 'postgres' ? await startPostgres({ durable: true }) : null;
try {
  const config = readConfig({
    DATA_DIR: directory,
    PORT: '0',
    NETWORKS: 'sandbox',
    LOG_LEVEL: 'error',
    ...(postgres === null ? {} : { DATABASE_URL: (await createDatabase(postgres.url)).url }),
  });
  const data = await fill();
  const app = await startApp(config);
  try {
    const linked = data.numbers.filter(({ linked }) => linked === 1).length;
    while (app.sessions.all().filter(({ status }) => status === 'open').length < linked * 0.9) await setTimeout(200);
    const gateway = { app, address: app.address, secrets: new ToldSecrets(), clock: systemClock } as unknown as TestGateway;
    await measure(await operator(gateway), data);
  } finally {
    await app.stop();
  }

  async function fill(): Promise<PortalData> {
    const store = await openStore(config, { create: true });
    try {
      await store.migrate();
      const { accounts, numbers, audit, providers, invitations, requests } = options;
      const sizes = {
        ...usualSizes,
        accounts: Number(accounts),
        numbers: Number(numbers),
        audit: Number(audit),
        providers: Number(providers),
        invitations: Number(invitations),
        usageDays: Number(options['usage-days']),
        requests: Number(requests),
      };
      const data = await fillPortal({ store, vault: createVault(readSecretKey(config)), sizes, now: Date.now() });
      await store.db
        .updateTable('api_keys')
        .set({ account_id: data.accounts[0]?.id ?? '' })
        .execute();
      return data;
    } finally {
      await store.close();
    }
  }
} finally {
  await postgres?.dispose();
  rmSync(directory, { recursive: true, force: true });
}

/** So many days ago. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}

async function measure(boss: SignedIn, { accounts, providers, people, numbers }: PortalData): Promise<void> {
  const base = '/portal/api/operator';
  const keys = '/portal/api/keys';
  const [provider, account, person] = [providers[0]?.id, accounts[0]?.id, people[0]?.email];
  const number = numbers.find(({ account_id }) => account_id === account)?.id;
  const after = async (path: string) => expectOk(await boss.call('GET', path)).body.data.next;
  const questions: readonly (readonly [string, string])[] = [
    ['accounts, newest', `${base}/accounts`],
    [
      'accounts by name, page in the middle',
      `${base}/accounts?sort=name&after=${await after(`${base}/accounts?sort=name&search=o&limit=200`)}`,
    ],
    ['accounts by end', `${base}/accounts?sort=ends`],
    ['accounts by numbers', `${base}/accounts?sort=-numbers`],
    ['accounts by end, last first', `${base}/accounts?sort=-ends`],
    ['accounts that need a person', `${base}/accounts?needs_person=1`],
    ['accounts ending within 30 days', `${base}/accounts?ends_within=30&sort=ends`],
    ['accounts found by text', `${base}/accounts?search=Porto`],
    ['numbers, newest', `${base}/numbers`],
    ['numbers by label', `${base}/numbers?sort=label&limit=200`],
    ['numbers by account', `${base}/numbers?sort=account`],
    [
      'numbers, second page of 200',
      `${base}/numbers?sort=-number&limit=200&after=${await after(`${base}/numbers?sort=-number&limit=200`)}`,
    ],
    ['numbers that are connected', `${base}/numbers?standing=connected`],
    ['numbers that need a person', `${base}/numbers?standing=needs_person`],
    ['numbers of a provider, restricted', `${base}/numbers?provider_id=${provider}&reason=restricted`],
    ['numbers by state, longest first', `${base}/numbers?sort=since&limit=200`],
    ['numbers that are banned', `${base}/numbers?reason=banned&sort=since`],
    ['numbers found by digits', `${base}/numbers?search=99`],
    ['ids of 10,000 numbers', `${base}/numbers/ids`],
    ['people, newest', `${base}/users`],
    ['people by name, owners', `${base}/users?sort=name&role=owner`],
    ['people found by text', `${base}/users?search=person29`],
    ...['created', 'email', '-expires'].map((sort) => [`invitations by ${sort}`, `${base}/invitations?sort=${sort}`] as const),
    ['invitations found by text', `${base}/invitations?search=guest29`],
    ...['created', 'name', '-accounts', '-numbers'].map((sort) => [`providers by ${sort}`, `${base}/providers?sort=${sort}`] as const),
    ...['created', 'label', 'used', 'revoked'].map(
      (sort) => [`keys of an account with all of them by ${sort}`, `${keys}?sort=${sort}`] as const,
    ),
    ['usage of all accounts, this month', `${base}/usage`],
    ['usage of all accounts, 366 days, by sends', `${base}/usage?from=${dayBefore(365)}&to=${dayBefore(0)}&order=sends&descending=true`],
    ['usage of all accounts, 366 days, the file', `${base}/usage.csv?from=${dayBefore(365)}&to=${dayBefore(0)}`],
    ['home of who administers everything', '/portal/api/home'],
    ['audit log, newest', `${base}/audit`],
    ['audit log of an account', `${base}/audit?account_id=${account}`],
    ['audit log of one action', `${base}/audit?action=account.suspend&limit=200`],
    ['audit log of one person', `${base}/audit?actor=${encodeURIComponent(person ?? '')}`],
    ['audit log of one month', `${base}/audit?from=2026-01-01&to=2026-02-01`],
    ['page of an account', `${base}/accounts/${account}`],
    ['page of a person', `${base}/users/${people[0]?.id}`],
    ['page of a provider', `${base}/providers/${provider}`],
    ['page of a number, with its history', `${base}/numbers/${number}`],
    ['health', `${base}/health`],
    ['plans', `${base}/plans`],
    ['alert targets', `${base}/alerts`],
    ['search for digits', '/portal/api/search?q=49171000'],
    ['search for a word', '/portal/api/search?q=Porto'],
    ['an account: home', '/portal/api/home'],
    ['an account: numbers', '/portal/api/numbers'],
    ['an account: sends, newest', '/portal/api/activity'],
    ['an account: sends that failed', '/portal/api/activity?outcome=failed'],
    ['an account: sends of one number', `/portal/api/activity?instance_id=${number}`],
    ['an account: usage', '/portal/api/usage'],
    ['an account: people', '/portal/api/members'],
    ['an account: audit log', '/portal/api/audit'],
    ['an account: plan and terms', '/portal/api/account'],
  ];
  // What is about one account is asked for as who acts for it.
  const acting = (name: string, path: string) => name.startsWith('an account: ') || path.startsWith(keys);
  line('page', 'median ms', 'worst ms', 'KB');
  line('---', '--:', '--:', '--:');
  for (const [name, path] of questions) {
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round <= Number(options.rounds); round++) {
      const ask = async () => {
        const begun = performance.now();
        const answer = await boss.call('GET', path, acting(name, path) ? { account: account ?? null } : {});
        return { answer, ms: performance.now() - begun };
      };
      let asked = await ask();
      // More than a person may ask in a minute.
      for (; asked.answer.status === 429; asked = await ask()) await setTimeout(asked.answer.body.error.details.retry_after_seconds * 1000);
      const answer = expectOk(asked.answer);
      // The first one finds nothing prepared, and counts as the others: somebody waits for it too.
      times.push(asked.ms);
      bytes = JSON.stringify(answer.body).length;
    }
    line(name, median(times).toFixed(0), Math.max(...times).toFixed(0), (bytes / 1000).toFixed(0));
  }
}
