import { sql } from 'kysely';
import { listPlans } from '../../src/accounts/index.ts';
import type { Vault } from '../../src/core/index.ts';
import { deviceRecord, encodeDevice } from '../../src/networks/sandbox/queries.ts';
import { credentialContext } from '../../src/sessions/credentials.ts';
import type { AccountRow, InstanceRow, ProviderRow, Store } from '../../src/store/index.ts';
import { accountRows, dayMs, numberRows, providerRows } from './accounts.ts';
import { insertAll } from './insert.ts';
import { auditRows, invitationRows, keyRows, membershipRows, type Person, people, userRows } from './people.ts';
import { createRandom } from './random.ts';
import { requestRows } from './request-log.ts';

/** How much there is to be of everything. */
export interface Sizes {
  readonly providers: number;
  readonly accounts: number;
  readonly numbers: number;
  readonly people: number;
  readonly keys: number;
  readonly audit: number;
  /** Invitations that nobody has used. */
  readonly invitations: number;
  /** For how many days every account has sent, with three kinds of messages and most of its numbers. */
  readonly usageDays: number;
  /** Requests in the request log. */
  readonly requests: number;
}

export const usualSizes: Sizes = {
  providers: 20,
  accounts: 2_000,
  numbers: 20_000,
  people: 3_000,
  keys: 4_000,
  audit: 100_000,
  invitations: 0,
  usageDays: 30,
  requests: 0,
};

/** What was made, oldest first. */
export interface PortalData {
  readonly providers: readonly ProviderRow[];
  readonly accounts: readonly AccountRow[];
  readonly numbers: readonly InstanceRow[];
  readonly people: readonly Person[];
}

interface FillOptions {
  readonly store: Store;
  /** With it linked numbers have credentials of the sandbox and connect when a server starts; without it they find that they have none. */
  readonly vault: Vault | null;
  readonly sizes: Sizes;
  readonly now: number;
  readonly seed?: number;
  /** Called with what is being made, and how much of it there is. */
  readonly onProgress?: (what: string, count: number) => void;
}

/** Fills a database, whose tables are there, with an installation's data; the same for the same seed and time. */
export async function fillPortal({ store, vault, sizes, now, seed = 1, onProgress = () => undefined }: FillOptions): Promise<PortalData> {
  const random = createRandom(seed);
  const providers = [...providerRows(random, sizes.providers, now)];
  const accounts = [...accountRows(random, sizes.accounts, { providers, plans: await listPlans(store) }, now)];
  const numbers = [...numberRows(random, sizes.numbers, accounts, now)];
  const persons = [...people(random, sizes.people, now)];
  const count = (what: string) => (made: number) => onProgress(what, made);
  await insertAll(store, 'providers', providers);
  await insertAll(store, 'accounts', accounts, count('accounts'));
  await insertAll(store, 'instances', numbers, count('numbers'));
  if (vault !== null) await link(store, vault, numbers);
  await insertAll(store, 'users', userRows(store, persons), count('people'));
  await insertAll(store, 'memberships', membershipRows(random, persons, { accounts, providers }));
  await insertAll(store, 'api_keys', keyRows(random, sizes.keys, accounts, now), count('keys'));
  await insertAll(store, 'one_time_links', invitationRows(random, sizes.invitations, accounts, now), count('invitations'));
  await insertAll(store, 'usage_sends', usageRows(accounts, sizes.usageDays, now), count('days of usage'));
  await insertAll(store, 'usage_number_days', numberDayRows(numbers, sizes.usageDays, now), count('number-days'));
  await sql`insert into usage_sends_by_month (account_id, month, type, count)
    select account_id, substr(day, 1, 7), type, sum(count) from usage_sends group by 1, 2, 3`.execute(store.db);
  await sql`insert into usage_number_days_by_month (account_id, month, count)
    select account_id, substr(day, 1, 7), count(*) from usage_number_days group by 1, 2`.execute(store.db);
  const audit = auditRows(random, sizes.audit, { people: persons, accounts, numbers }, now);
  await insertAll(store, 'audit_log', audit, count('audit entries'));
  await insertAll(store, 'requests', requestRows(random, { count: sizes.requests, numbers, now }), count('requests'));
  // The first questions are not to be answered by guesses about empty tables.
  await sql`analyze`.execute(store.db);
  return { providers, accounts, numbers, people: persons };
}

/** What the sandbox keeps of a linked number, on both sides. */
async function link(store: Store, vault: Vault, numbers: readonly InstanceRow[]): Promise<void> {
  const devices = numbers.flatMap(({ id, account_id, phone_number, linked, created_at }) =>
    linked === 1 && phone_number !== null ? [{ id: `device-${id}`, account_id, instance_id: id, phone_number, linked_at: created_at }] : [],
  );
  const records = devices.map((device) => ({
    instance_id: device.instance_id,
    name: deviceRecord,
    sealed: vault.seal(encodeDevice(device), credentialContext(device.instance_id, deviceRecord)),
  }));
  await insertAll(store, 'credentials', records);
  await insertAll(store, 'sandbox_devices', devices);
}

const usedKinds = ['text', 'image', 'document'] as const;
const utcDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Sends of the last days. */
function* usageRows(accounts: readonly AccountRow[], days: number, now: number) {
  for (const { id } of accounts)
    for (let day = 0; day < days; day++)
      for (const [place, type] of usedKinds.entries())
        yield { account_id: id, day: utcDay(now - day * dayMs), type, count: 100 + day * (place + 1) };
}

/** The linked numbers were connected on each of these days. */
function* numberDayRows(numbers: readonly InstanceRow[], days: number, now: number) {
  for (const { account_id, phone_number, linked } of numbers) {
    if (linked === 0 || phone_number === null) continue;
    for (let day = 0; day < days; day++) yield { account_id, day: utcDay(now - day * dayMs), phone_number };
  }
}
