import { type Kysely, sql } from 'kysely';
import { admissionQuery } from '../admission.ts';
import { addUpSends, requestColumns } from '../request-log.ts';
import { type Database, numberSendsColumns, sandboxMessageColumns } from '../schema.ts';
import { acceptClaim, forgetClaim, leaveClaim, unreserve, useTrial } from '../send-ends.ts';
import { compileOnce, sqlCompiler, type Value } from '../statements.ts';
import { addNumber, addUp } from '../usage.ts';

/**
 * A value that SQLite's planner may not look at. This build has STAT4, which plans a statement over several tables anew for every value it
 * can see: 27 µs for the admission instead of 1.5.
 */
const hidden = (value: never) => sql<string>`(select ${value})`;

/** A row for an insert. */
const insertRow = <Column extends string>(table: string, columns: readonly Column[], value: Value<Column>) => sql`
  insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values (${sql.join(columns.map(value))})`;

/** The statements of the hot path on SQLite: one row each. Compiled once. */
export function rowStatements(db: Kysely<Database>) {
  const compile = sqlCompiler(db);
  return {
    admit: compileOnce<'hash'>((value) => admissionQuery(db).where('api_keys.hash', '=', hidden(value('hash')))),
    touchKey: compile<'id' | 'at'>(
      (value) => sql`
      update api_keys set last_used_at = ${value('at')}
      where id = ${value('id')} and (last_used_at is null or last_used_at < ${value('at')})`,
    ),
    findClaim: compile<'account' | 'key'>(
      (value) => sql`
      select fingerprint, state, provider_status as "providerStatus", message_id as "messageId", owner, node, created_at as "createdAt", deadline
      from claims where account_id = ${value('account')} and key = ${value('key')}`,
    ),
    findOwner: compile<'instance'>((value) => sql`select account_id as account from instances where id = ${value('instance')}`),
    trialTaken: compile<'account' | 'now'>(
      (value) => sql`
      select trial_used
        + (select count(*) from trial_reservations where account_id = accounts.id and deadline > ${value('now')}) as taken
      from accounts where id = ${hidden(value('account'))}`,
    ),
    reserve: compile<'id' | 'account_id' | 'node' | 'deadline'>((value) =>
      insertRow('trial_reservations', ['id', 'account_id', 'node', 'deadline'], value),
    ),
    // A key that is claimed anew comes behind all others, where what is deleted by age looks for it.
    putClaim: compile<'account' | 'key' | 'fingerprint' | 'messageId' | 'owner' | 'node' | 'createdAt' | 'deadline'>(
      (value) => sql`
      insert into claims (account_id, key, fingerprint, message_id, state, owner, node, created_at, deadline)
      values (${value('account')}, ${value('key')}, ${value('fingerprint')}, ${value('messageId')}, 'in_flight', ${value('owner')},
        ${value('node')}, ${value('createdAt')}, ${value('deadline')})
      on conflict (account_id, key) do update set id = (select max(id) + 1 from claims), fingerprint = excluded.fingerprint,
        message_id = excluded.message_id, state = excluded.state, owner = excluded.owner, node = excluded.node, provider_status = null,
        created_at = excluded.created_at, deadline = excluded.deadline`,
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
    countDay: compile<'account' | 'day' | 'type' | 'count'>((value) =>
      addUp('usage_sends', { account_id: value('account'), day: value('day'), type: value('type'), count: value('count') }),
    ),
    countMonth: compile<'account' | 'month' | 'type' | 'count'>((value) =>
      addUp('usage_sends_by_month', { account_id: value('account'), month: value('month'), type: value('type'), count: value('count') }),
    ),
    noteSettlement: compile<'at' | 'requests'>((value) => insertRow('settlements', ['at', 'requests'], value)),
    seeNumber: compileOnce<'account' | 'day' | 'number'>((value) =>
      addNumber(db, { account_id: value('account'), day: value('day'), phone_number: value('number') }),
    ),
    countNumberDay: compile<'account' | 'month'>((value) =>
      addUp('usage_number_days_by_month', { account_id: value('account'), month: value('month'), count: sql.lit(1) }),
    ),
    keepRecord: compile<'instance_id' | 'name' | 'sealed'>(
      (value) => sql`
      ${insertRow('credentials', ['instance_id', 'name', 'sealed'], value)}
      on conflict (instance_id, name) do update set sealed = excluded.sealed`,
    ),
    dropRecord: compile<'instance_id' | 'name'>(
      (value) => sql`delete from credentials where instance_id = ${value('instance_id')} and name = ${value('name')}`,
    ),
    keepSent: compile<'instance_id' | 'message_id' | 'sealed' | 'at'>(
      (value) => sql`
      ${insertRow('sent_messages', ['instance_id', 'message_id', 'sealed', 'at'], value)}
      on conflict (instance_id, message_id) do update set sealed = excluded.sealed`,
    ),
    dropSent: compile<'instance_id' | 'message_id'>(
      (value) => sql`delete from sent_messages where instance_id = ${value('instance_id')} and message_id = ${value('message_id')}`,
    ),
    markLinked: compile<'instance_id'>((value) => sql`update instances set linked = 1 where id = ${value('instance_id')} and linked = 0`),
    log: compile<(typeof requestColumns)[number]>((value) => insertRow('requests', requestColumns, value)),
    countOutcome: compile<'hour' | 'account_id' | 'code' | 'count'>((value) =>
      addUp('send_outcomes', { hour: value('hour'), account_id: value('account_id'), code: value('code'), count: value('count') }),
    ),
    countNumber: compile<(typeof numberSendsColumns)[number]>(
      (value) => sql`${insertRow('number_sends', numberSendsColumns, value)} ${addUpSends}`,
    ),
    deliver: compile<(typeof sandboxMessageColumns)[number]>(
      (value) => sql`${insertRow('sandbox_messages', sandboxMessageColumns, value)} on conflict do nothing`,
    ),
  };
}

/** The statements of the embedded store. */
export type RowStatements = ReturnType<typeof rowStatements>;
