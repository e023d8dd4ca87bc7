import { type Kysely, sql } from 'kysely';
import type { AdmitCall } from './hot-path.ts';
import { requestColumns } from './request-rows.ts';
import type { Database, NewRequest } from './schema.ts';
import { acceptClaim, forgetClaim, leaveClaim, unreserve, useTrial } from './send-ends.ts';
import { compileOnce } from './statements.ts';
import { addDaySends, addMonthNumberDay, addMonthSends, addNumber } from './usage.ts';

/** A key counts as used at most once per second, so that its last use costs one write per second, not one per request. */
const lastUsedResolutionMs = 1000;

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
          'node',
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
        .select((eb) =>
          eb(
            'trial_used',
            '+',
            eb
              .selectFrom('trial_reservations')
              .select(eb.fn.countAll<number>().as('n'))
              .whereRef('trial_reservations.account_id', '=', 'accounts.id')
              .where('trial_reservations.deadline', '>', value('now')),
          ).as('taken'),
        )
        .where('id', '=', hidden(value('account'))),
    ),
    reserve: compileOnce<'id' | 'account' | 'node' | 'deadline'>((value) =>
      db
        .insertInto('trial_reservations')
        .values({ id: value('id'), account_id: value('account'), node: value('node'), deadline: value('deadline') }),
    ),
    /** A key that is claimed anew comes behind all others, where what is deleted by age looks for it then. */
    putClaim: compileOnce<'account' | 'key' | 'fingerprint' | 'messageId' | 'owner' | 'node' | 'createdAt' | 'deadline'>((value) =>
      db
        .insertInto('claims')
        .values({
          account_id: value('account'),
          key: value('key'),
          fingerprint: value('fingerprint'),
          message_id: value('messageId'),
          state: sql.lit('in_flight'),
          owner: value('owner'),
          node: value('node'),
          created_at: value('createdAt'),
          deadline: value('deadline'),
        })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'key']).doUpdateSet((eb) => ({
            id: sql<number>`(select max(id) + 1 from claims)`,
            fingerprint: eb.ref('excluded.fingerprint'),
            message_id: eb.ref('excluded.message_id'),
            state: eb.ref('excluded.state'),
            owner: eb.ref('excluded.owner'),
            node: eb.ref('excluded.node'),
            provider_status: sql.lit(null),
            created_at: eb.ref('excluded.created_at'),
            deadline: eb.ref('excluded.deadline'),
          })),
        ),
    ),
    acceptClaim: compileOnce<'account' | 'key' | 'messageId' | 'providerStatus'>((value) =>
      acceptClaim(db, {
        ...{ account: value('account'), key: value('key') },
        ...{ messageId: value('messageId'), providerStatus: value('providerStatus') },
      }),
    ),
    forgetClaim: compileOnce<'account' | 'key' | 'owner'>((value) =>
      forgetClaim(db, { account: value('account'), key: value('key'), owner: value('owner') }),
    ),
    leaveClaim: compileOnce<'account' | 'key' | 'owner'>((value) =>
      leaveClaim(db, { account: value('account'), key: value('key'), owner: value('owner') }),
    ),
    unreserve: compileOnce<'id'>((value) => unreserve(db, { id: value('id') })),
    useTrial: compileOnce<'account' | 'trial'>((value) => useTrial(db, { account: value('account'), trial: value('trial') })),
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
