import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { type Clock, StoreUnavailable } from '../../core/index.ts';
import { sumOfPendingWrites } from '../../outbox/index.ts';
import { clockDifference, type Store, toleratedClockMs } from '../../store/index.ts';
import { hasCredentials, lastRequestAt, lostConnections, postgresVersion } from '../queries.ts';
import { type Finding, fail, type Machine, ok, reason, t, warn } from './check.ts';

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
    return [fail('database', t('cannot be read: {{reason}}', { reason: reason(error) }), t('restore it from a backup if this persists'))];
  }
}

async function schema(store: Store): Promise<Finding> {
  const { applied, pending } = await store.schema();
  const found = {
    database: store.dialect === 'postgres' ? 'PostgreSQL' : t('embedded'),
    schema: applied.at(-1) ?? t('none'),
    applied: applied.length,
  };
  return pending.length === 0
    ? ok('database', t('{{database}}, schema {{schema}} ({{applied}} migrations applied, none pending)', found))
    : warn(
        'database',
        t('{{database}}, schema {{schema}} ({{applied}} migrations applied, pending: {{pending}})', {
          ...found,
          pending: pending.join(', '),
        }),
        t('start the server of this version (gateway serve), which applies them'),
      );
}

async function version(store: Store): Promise<Finding> {
  const number = await postgresVersion(store.db);
  const shown = `PostgreSQL ${Math.floor(number / 10_000)}.${number % 10_000}`;
  return Math.floor(number / 10_000) >= oldestPostgres
    ? ok('postgresql', shown)
    : warn(
        'postgresql',
        t('{{version}} is no longer maintained', { version: shown }),
        t('upgrade to PostgreSQL {{oldest}} or newer', { oldest: oldestPostgres }),
      );
}

async function drift(clock: Clock, store: Store): Promise<Finding> {
  const difference = -((await clockDifference(store, clock)) ?? 0);
  return Math.abs(difference) <= toleratedClockMs
    ? ok('database clock', t('in step with this machine'))
    : warn(
        'database clock',
        t("differs from this machine's by {{difference}} ms", { difference: String(difference) }),
        t('synchronise both by NTP: of several servers, one more than 5 minutes off does not join the others'),
      );
}

/** A request noted in the future shows that the clock was turned back since. */
async function requestTimes(clock: Clock, store: Store): Promise<Finding[]> {
  const last = await lastRequestAt(store.db);
  if (last === null || last <= clock.now() + toleratedMs) return [];
  const message = t('the newest request is dated {{time}}, which is in the future', { time: new Date(last).toISOString() });
  return [warn('clock', message, t('set the clock, preferably by NTP: plans, keys and idempotency depend on it'))];
}

async function missingSecretKey(config: Config, store: Store): Promise<Finding[]> {
  const file = join(config.dataDir, 'secret.key');
  if (config.secretKey !== null || existsSync(file)) return [];
  return (await hasCredentials(store.db))
    ? [
        fail(
          'secret key',
          t('{{file}} is missing, and only it decrypts the credentials of linked numbers', { file }),
          t('restore it from your backup, or set SECRET_KEY; otherwise those numbers must be paired again'),
        ),
      ]
    : [ok('secret key', t('{{file}} will be created at the first start', { file }))];
}

/** Connections that are lost for less usually come back. */
const patienceMs = 10 * 60_000;
/** Most pending writes are done within seconds; one that has failed for so long is trouble, also for alerts. */
export const writesFailingMs = 5 * 60_000;

/** Numbers that are linked and have been without a connection for some time; those that wait for a person are not among them. */
export async function droppedNumbers({ clock }: { readonly clock: Clock }, store: Store): Promise<Finding> {
  const { count, since } = await lostConnections(store.db, clock.now() - patienceMs);
  if (count === 0 || since === null) return ok('connections', t('no linked number has been without a connection for more than 10 minutes'));
  return warn(
    'connections',
    t('{{shown}} linked numbers have been without a connection for more than 10 minutes, the longest since {{since}}', {
      count,
      shown: String(count),
      since: new Date(since).toISOString(),
      defaultValue_one: 'a linked number has been without a connection for more than 10 minutes, the longest since {{since}}',
    }),
    t('if it is one, see its page or gateway number show; if there are many, check whether this machine reaches WhatsApp'),
  );
}

/** Writes that failed when they were due, and have not succeeded yet: those in the store, unless `sum` knows of more. */
export async function pendingWrites(
  { clock }: { readonly clock: Clock },
  store: Store,
  sum = () => sumOfPendingWrites(store.db),
): Promise<Finding> {
  const { count, oldestAt } = await sum();
  if (count === 0 || oldestAt === null) return ok('pending writes', t('no write is pending'));
  const message = t('{{shown}} writes are pending, the oldest since {{since}}', {
    count,
    shown: String(count),
    since: new Date(oldestAt).toISOString(),
    defaultValue_one: 'one write is pending, the oldest since {{since}}',
  });
  return clock.now() - oldestAt < writesFailingMs
    ? ok('pending writes', message)
    : warn(
        'pending writes',
        message,
        t('a running server tries again automatically; its log says why it fails. Until then counts of sends and trials lag behind'),
      );
}

/** Whether the store can be written: one small write, unless it is known already that it would not last. */
export async function writing({ writability }: Store): Promise<Finding> {
  try {
    if (writability.trouble !== null) throw writability.trouble;
    await writability.tryWrite();
    return ok('writing', t('a write to the database succeeded'));
  } catch (error) {
    const mend = t('until this is fixed, sends are refused before they are handed over');
    if (error instanceof StoreUnavailable) return fail('writing', error.message, mend);
    return fail('writing', t('the database cannot be written: {{reason}}', { reason: reason(error) }), mend);
  }
}
