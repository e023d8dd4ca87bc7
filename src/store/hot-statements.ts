import { type Kysely, sql } from 'kysely';
import type { AdmitCall } from './hot-path.ts';
import { requestColumns } from './request-rows.ts';
import type { Database, NewRequest } from './schema.ts';
import { compileOnce } from './statements.ts';
import { addDaySends, addMonthNumberDay, addMonthSends, addNumber } from './usage.ts';

/** A key counts as used at most once per second, so that its last use costs one write per second, not one per request. */
const lastUsedResolutionMs = 1000;

/** How long a claim's answer can be asked for again (contract, "Idempotency window"). */
export const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/** How long a send may take at most, all its waits included, before its claim counts as abandoned and its unit of a trial as free. */
export const claimMs = 180_000;

/** Whether the key of a row is over at the time of the call. */
export function hasExpired({ expiresAt }: AdmissionRow, { now }: AdmitCall): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The time of this use of a row's key, to the second; null when the row has it, or a later one, already. */
export function useToNote({ lastUsedAt }: AdmissionRow, { now }: AdmitCall): number | null {
  const used = now - (now % lastUsedResolutionMs);
  return lastUsedAt === null || lastUsedAt < used ? used : null;
}

/** The row of the one query that admits a request. */
export interface AdmissionRow {
  keyId: string;
  accountId: string;
  accountStatus: 'active' | 'suspended';
  providerStatus: 'active' | 'suspended';
  accessEndsAt: number | null;
  planId: string | null;
  planEndsAt: number | null;
  messagesPerMinute: number | null;
  trialMessageLimit: number | null;
  lastUsedAt: number | null;
  expiresAt: number | null;
}

/** Key, account, provider and plan in one query; the condition on the key's hash is added by the dialect. */
export function admissionQuery(db: Kysely<Database>) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .innerJoin('providers', 'providers.id', 'accounts.provider_id')
    .leftJoin('plans', 'plans.id', 'accounts.plan_id')
    .where('api_keys.revoked_at', 'is', null)
    .select([
      'api_keys.id as keyId',
      'api_keys.last_used_at as lastUsedAt',
      'api_keys.expires_at as expiresAt',
      'accounts.id as accountId',
      'accounts.status as accountStatus',
      'providers.status as providerStatus',
      'accounts.access_ends_at as accessEndsAt',
      'accounts.plan_id as planId',
      'accounts.plan_ends_at as planEndsAt',
      'plans.messages_per_minute as messagesPerMinute',
      'plans.trial_message_limit as trialMessageLimit',
    ]);
}

/**
 * A value that SQLite's planner may not look at. This build has STAT4, which plans a statement over several tables anew for every value it
 * can see: 27 µs for the admission instead of 1.5.
 */
const hidden = (value: never) => sql<string>`(select ${value})`;

/** The statements of the embedded store, one row each, compiled once. */
export function rowStatements(db: Kysely<Database>) {
  return {
    admit: compileOnce<'hash'>((value) => admissionQuery(db).where('api_keys.hash', '=', hidden(value('hash')))),
    touchKey: compileOnce<'id' | 'at'>((value) =>
      db
        .updateTable('api_keys')
        .set({ last_used_at: value('at') })
        .where('id', '=', value('id'))
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', value('at'))])),
    ),
    findClaim: compileOnce<'account' | 'key'>((value) =>
      db
        .selectFrom('claims')
        .select([
          'fingerprint',
          'state',
          'provider_status as providerStatus',
          'message_id as messageId',
          'owner',
          'created_at as createdAt',
          'deadline',
        ])
        .where('account_id', '=', value('account'))
        .where('key', '=', value('key')),
    ),
    findOwner: compileOnce<'instance'>((value) =>
      db.selectFrom('instances').select('account_id as account').where('id', '=', value('instance')),
    ),
    trialTaken: compileOnce<'account' | 'now'>((value) =>
      db
        .selectFrom('accounts')
        .select((eb) => [
          'trial_used as used',
          eb
            .selectFrom('trial_reservations')
            .select(eb.fn.countAll().as('n'))
            .whereRef('trial_reservations.account_id', '=', 'accounts.id')
            .where('trial_reservations.deadline', '>', value('now'))
            .as('reserved'),
        ])
        .where('id', '=', hidden(value('account'))),
    ),
    reserve: compileOnce<'id' | 'account' | 'deadline'>((value) =>
      db.insertInto('trial_reservations').values({ id: value('id'), account_id: value('account'), deadline: value('deadline') }),
    ),
    unreserve: compileOnce<'id'>((value) => db.deleteFrom('trial_reservations').where('id', '=', value('id'))),
    useTrial: compileOnce<'account' | 'count'>((value) =>
      db
        .updateTable('accounts')
        .set((eb) => ({ trial_used: eb('trial_used', '+', value('count')) }))
        .where('id', '=', value('account')),
    ),
    insertClaim: compileOnce<'account' | 'key' | 'fingerprint' | 'message' | 'owner' | 'at' | 'deadline'>((value) =>
      db
        .insertInto('claims')
        .values({
          account_id: value('account'),
          key: value('key'),
          fingerprint: value('fingerprint'),
          message_id: value('message'),
          state: sql.lit('in_flight'),
          owner: value('owner'),
          created_at: value('at'),
          deadline: value('deadline'),
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing()),
    ),
    /** It has 24 hours from now on, and comes behind all others, where what is deleted by age looks for it then. */
    retakeClaim: compileOnce<'account' | 'key' | 'owner' | 'at' | 'deadline'>((value) =>
      db
        .updateTable('claims')
        .set({
          id: sql<number>`(select max(id) + 1 from claims)`,
          state: sql.lit('in_flight'),
          owner: value('owner'),
          created_at: value('at'),
          deadline: value('deadline'),
        })
        .where('account_id', '=', value('account'))
        .where('key', '=', value('key')),
    ),
    /** What was accepted before does not change, so the change is what is to be counted. */
    acceptClaim: compileOnce<'account' | 'key' | 'status'>((value) =>
      db
        .updateTable('claims')
        .set({ state: sql.lit('accepted'), owner: sql.lit(''), provider_status: value('status') })
        .where('account_id', '=', value('account'))
        .where('key', '=', value('key'))
        .where('state', '<>', sql.lit('accepted')),
    ),
    forgetClaim: compileOnce<'account' | 'key' | 'owner'>((value) =>
      db
        .deleteFrom('claims')
        .where('account_id', '=', value('account'))
        .where('key', '=', value('key'))
        .where('owner', '=', value('owner')),
    ),
    /** What was accepted stays so: its sender may not have learned that the store was told. */
    leaveClaim: compileOnce<'account' | 'key' | 'owner'>((value) =>
      db
        .updateTable('claims')
        .set({ state: sql.lit('unknown') })
        .where('account_id', '=', value('account'))
        .where('key', '=', value('key'))
        .where('owner', '=', value('owner'))
        .where('state', '=', sql.lit('in_flight')),
    ),
    countDay: compileOnce<'account' | 'day' | 'type' | 'count'>((value) =>
      addDaySends(db, { account_id: value('account'), day: value('day'), type: value('type'), count: value('count') }),
    ),
    countMonth: compileOnce<'account' | 'month' | 'type' | 'count'>((value) =>
      addMonthSends(db, { account_id: value('account'), month: value('month'), type: value('type'), count: value('count') }),
    ),
    noteSettlement: compileOnce<'at' | 'requests'>((value) =>
      db.insertInto('settlements').values({ at: value('at'), requests: value('requests') }),
    ),
    seeNumber: compileOnce<'account' | 'day' | 'number'>((value) =>
      addNumber(db, { account_id: value('account'), day: value('day'), phone_number: value('number') }),
    ),
    countNumberDay: compileOnce<'account' | 'month'>((value) =>
      addMonthNumberDay(db, { account_id: value('account'), month: value('month') }),
    ),
    keepRecord: compileOnce<'instance' | 'name' | 'sealed'>((value) =>
      db
        .insertInto('credentials')
        .values({ instance_id: value('instance'), name: value('name'), sealed: value('sealed') })
        .onConflict((conflict) => conflict.columns(['instance_id', 'name']).doUpdateSet((eb) => ({ sealed: eb.ref('excluded.sealed') }))),
    ),
    dropRecord: compileOnce<'instance' | 'name'>((value) =>
      db.deleteFrom('credentials').where('instance_id', '=', value('instance')).where('name', '=', value('name')),
    ),
    keepSent: compileOnce<'instance' | 'message' | 'sealed' | 'at'>((value) =>
      db
        .insertInto('sent_messages')
        .values({ instance_id: value('instance'), message_id: value('message'), sealed: value('sealed'), at: value('at') })
        .onConflict((conflict) =>
          conflict.columns(['instance_id', 'message_id']).doUpdateSet((eb) => ({ sealed: eb.ref('excluded.sealed') })),
        ),
    ),
    dropSent: compileOnce<'instance' | 'message'>((value) =>
      db.deleteFrom('sent_messages').where('instance_id', '=', value('instance')).where('message_id', '=', value('message')),
    ),
    markLinked: compileOnce<'instance'>((value) =>
      db
        .updateTable('instances')
        .set({ linked: sql.lit(1) })
        .where('id', '=', value('instance'))
        .where('linked', '=', sql.lit(0)),
    ),
    log: compileOnce<RequestColumn>((value) =>
      // Object.fromEntries forgets which names it was given.
      db
        .insertInto('requests')
        .values(Object.fromEntries(requestColumns.map((column) => [column, value(column)])) as unknown as NewRequest),
    ),
    countOutcome: compileOnce<'hour' | 'account_id' | 'code' | 'count'>((value) =>
      db
        .insertInto('send_outcomes')
        .values({ hour: value('hour'), account_id: value('account_id'), code: value('code'), count: value('count') })
        .onConflict((conflict) =>
          conflict
            .columns(['hour', 'account_id', 'code'])
            .doUpdateSet((eb) => ({ count: eb('send_outcomes.count', '+', eb.ref('excluded.count')) })),
        ),
    ),
    deliver: compileOnce<SandboxMessageColumn>((value) =>
      db
        .insertInto('sandbox_messages')
        .values({
          account_id: value('account_id'),
          message_id: value('message_id'),
          from_number: value('from_number'),
          to_number: value('to_number'),
          type: value('type'),
          content: value('content'),
          quoted: value('quoted'),
          received_at: value('received_at'),
          file: value('file'),
        })
        .onConflict((conflict) => conflict.doNothing()),
    ),
  };
}

/** The statements of the embedded store. */
export type RowStatements = ReturnType<typeof rowStatements>;

type RequestColumn = (typeof requestColumns)[number];
type SandboxMessageColumn = (typeof sandboxMessageColumns)[number];

export const sandboxMessageColumns = [
  'account_id',
  'message_id',
  'from_number',
  'to_number',
  'type',
  'content',
  'quoted',
  'received_at',
  'file',
] as const;
