import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { type Clock, StoreUnavailable } from '../../core/index.ts';
import { sumOfPendingWrites } from '../../outbox/index.ts';
import { clockDifference, type Store, toleratedClockMs } from '../../store/index.ts';
import { hasCredentials, lastRequestAt, lostConnections, postgresVersion } from '../queries.ts';
import { type Finding, fail, type Machine, ok, reason, warn } from './check.ts';

const oldestPostgres = 14;
/** A request may be noted a little later than it was answered. */
const toleratedMs = 5000;

/** An open database: whether its schema is current, and in step with the clock and the secret key. */
export async function openDatabase({ clock }: Machine, config: Config, store: Store): Promise<Finding[]> {
  try {
    const found = await schema(store);
    // What else is asked needs the tables.
    if (found.state !== 'ok') return [found];
    return [
      found,
      ...(store.dialect === 'postgres' ? [await version(store), await drift(clock, store)] : []),
      ...(await requestTimes(clock, store)),
      ...(await missingSecretKey(config, store)),
    ];
  } catch (error) {
    return [fail('database', `cannot be read: ${reason(error)}`, 'restore it from a backup if this persists')];
  }
}

async function schema(store: Store): Promise<Finding> {
  const { applied, pending } = await store.schema();
  const found = `${store.dialect === 'postgres' ? 'PostgreSQL' : 'embedded'}, schema ${applied.at(-1) ?? 'none'} (${applied.length} migrations applied`;
  return pending.length === 0
    ? ok('database', `${found}, none pending)`)
    : warn('database', `${found}, pending: ${pending.join(', ')})`, 'start the server of this version (gateway serve), which applies them');
}

async function version(store: Store): Promise<Finding> {
  const number = await postgresVersion(store.db);
  const shown = `PostgreSQL ${Math.floor(number / 10_000)}.${number % 10_000}`;
  return Math.floor(number / 10_000) >= oldestPostgres
    ? ok('postgresql', shown)
    : warn('postgresql', `${shown} is no longer maintained`, `upgrade to PostgreSQL ${oldestPostgres} or newer`);
}

async function drift(clock: Clock, store: Store): Promise<Finding> {
  const difference = -((await clockDifference(store, clock)) ?? 0);
  return Math.abs(difference) <= toleratedClockMs
    ? ok('database clock', 'in step with this machine')
    : warn(
        'database clock',
        `differs from this machine's by ${difference} ms`,
        'synchronise both by NTP: of several servers, one more than 5 minutes off does not join the others',
      );
}

/** A request noted in the future shows that the clock was turned back since. */
async function requestTimes(clock: Clock, store: Store): Promise<Finding[]> {
  const last = await lastRequestAt(store.db);
  if (last === null || last <= clock.now() + toleratedMs) return [];
  const message = `the newest request is dated ${new Date(last).toISOString()}, which is in the future`;
  return [warn('clock', message, 'set the clock, preferably by NTP: plans, keys and idempotency depend on it')];
}

async function missingSecretKey(config: Config, store: Store): Promise<Finding[]> {
  const file = join(config.dataDir, 'secret.key');
  if (config.secretKey !== null || existsSync(file)) return [];
  return (await hasCredentials(store.db))
    ? [
        fail(
          'secret key',
          `${file} is missing, and only it decrypts the credentials of linked numbers`,
          'restore it from your backup, or set SECRET_KEY; otherwise those numbers must be paired again',
        ),
      ]
    : [ok('secret key', `${file} will be created at the first start`)];
}

/** Connections that are lost for less usually come back, and most pending writes are done within seconds. */
const patienceMs = 10 * 60_000;

/** Numbers that are linked and have been without a connection for some time; those that wait for a person are not among them. */
export async function droppedNumbers({ clock }: { readonly clock: Clock }, store: Store): Promise<Finding> {
  const { count, since } = await lostConnections(store.db, clock.now() - patienceMs);
  if (count === 0 || since === null) return ok('connections', 'no linked number has been without a connection for more than 10 minutes');
  const numbers = count === 1 ? 'a linked number has' : `${count} linked numbers have`;
  return warn(
    'connections',
    `${numbers} been without a connection for more than 10 minutes, the longest since ${new Date(since).toISOString()}`,
    'if it is one, see its page or gateway number show; if there are many, check whether this machine reaches WhatsApp',
  );
}

/** Writes that failed when they were due, and have not succeeded yet. */
export async function pendingWrites({ clock }: { readonly clock: Clock }, store: Store): Promise<Finding> {
  const { count, oldestAt } = await sumOfPendingWrites(store.db);
  if (count === 0 || oldestAt === null) return ok('pending writes', 'no write is pending');
  const since = `${count === 1 ? 'one write is' : `${count} writes are`} pending, the oldest since ${new Date(oldestAt).toISOString()}`;
  return clock.now() - oldestAt < patienceMs
    ? ok('pending writes', since)
    : warn(
        'pending writes',
        since,
        'a running server tries again automatically; its log says why it fails. Until then counts of sends and trials lag behind',
      );
}

/** Whether the store can be written: one small write, unless it is known already that it would not last. */
export async function writing({ writability }: Store): Promise<Finding> {
  try {
    if (writability.trouble !== null) throw writability.trouble;
    await writability.tryWrite();
    return ok('writing', 'a write to the database succeeded');
  } catch (error) {
    const mend = 'until this is fixed, sends are refused before they are handed over';
    if (error instanceof StoreUnavailable) return fail('writing', error.message, mend);
    return fail('writing', `the database cannot be written: ${reason(error)}`, mend);
  }
}
