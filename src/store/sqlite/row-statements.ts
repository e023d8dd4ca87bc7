import { type Compilable, type Kysely, sql } from 'kysely';
import { admissionQuery } from '../admission.ts';
import { addUpSends, requestColumns } from '../request-log.ts';
import { type Database, numberSendsColumns, sandboxMessageColumns } from '../schema.ts';
import { acceptClaim, forgetClaim, leaveClaim, settlementIsPending, unreserve, useTrial } from '../send-ends.ts';
import { compileOnce, sqlCompiler } from '../statements.ts';
import { addNumber, addUp } from '../usage.ts';

/**
 * A value that SQLite's planner may not look at. This build has STAT4, which plans a statement over several tables anew for every value it
 * can see: 27 µs for the admission instead of 1.5.
 */
const hidden = (value: never) => sql<string>`(select ${value})`;

const sealAgain = sql`do update set sealed = excluded.sealed`;

/** The statements of the hot path on SQLite: one row each. Compiled once. */
export function rowStatements(db: Kysely<Database>) {
  const compile = sqlCompiler(db);
  /** Inserts a row with these values; `otherwise`: what to do when it is there already. */
  const insert = <const Name extends string>(table: string, names: readonly Name[], otherwise = sql``) =>
    compile<Name>(
      (value) => sql`
      insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) values (${sql.join(names.map(value))}) ${otherwise}`,
    );
  /** A statement about a row that these values name. */
  const about = <const Name extends string>(names: readonly Name[], build: (row: Readonly<Record<Name, never>>) => Compilable) =>
    // Object.fromEntries forgets which names it was given.
    compileOnce<Name>((value) => build(Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, never>));
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
        + (select count(*) from trial_reservations
          where account_id = accounts.id and (deadline > ${value('now')} or ${settlementIsPending(sql.ref('trial_reservations.id'))})) as taken
      from accounts where id = ${hidden(value('account'))}`,
    ),
    reserve: insert('trial_reservations', ['id', 'account_id', 'node', 'deadline']),
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
    acceptClaim: about(['account', 'key', 'messageId', 'providerStatus'], (claim) => acceptClaim(db, claim)),
    forgetClaim: about(['account', 'key', 'owner'], (claim) => forgetClaim(db, claim)),
    leaveClaim: about(['account', 'key', 'owner'], (claim) => leaveClaim(db, claim)),
    unreserve: about(['id'], (reservation) => unreserve(db, reservation)),
    useTrial: about(['account', 'trial'], (used) => useTrial(db, used)),
    countDay: compile<'account' | 'day' | 'type' | 'count'>((value) =>
      addUp('usage_sends', { account_id: value('account'), day: value('day'), type: value('type'), count: value('count') }),
    ),
    countMonth: compile<'account' | 'month' | 'type' | 'count'>((value) =>
      addUp('usage_sends_by_month', { account_id: value('account'), month: value('month'), type: value('type'), count: value('count') }),
    ),
    noteSettlement: insert('settlements', ['at', 'requests']),
    seeNumber: compileOnce<'account' | 'day' | 'number'>((value) =>
      addNumber(db, { account_id: value('account'), day: value('day'), phone_number: value('number') }),
    ),
    findNumber: compile<'account' | 'day' | 'number'>(
      (value) => sql`
      select 1 from usage_number_days
      where account_id = ${value('account')} and day = ${value('day')} and phone_number = ${value('number')}`,
    ),
    countNumberDay: compile<'account' | 'month'>((value) =>
      addUp('usage_number_days_by_month', { account_id: value('account'), month: value('month'), count: sql.lit(1) }),
    ),
    keepRecord: insert('credentials', ['instance_id', 'name', 'sealed'], sql`on conflict (instance_id, name) ${sealAgain}`),
    dropRecord: compile<'instance_id' | 'name'>(
      (value) => sql`delete from credentials where instance_id = ${value('instance_id')} and name = ${value('name')}`,
    ),
    keepSent: insert(
      'sent_messages',
      ['instance_id', 'message_id', 'sealed', 'at'],
      sql`on conflict (instance_id, message_id) ${sealAgain}`,
    ),
    dropSent: compile<'instance_id' | 'message_id'>(
      (value) => sql`delete from sent_messages where instance_id = ${value('instance_id')} and message_id = ${value('message_id')}`,
    ),
    markLinked: compile<'instance_id'>(
      (value) => sql`update instances set linked = 1, linked_at = null where id = ${value('instance_id')} and linked = 0`,
    ),
    log: insert('requests', requestColumns),
    countOutcome: compile<'hour' | 'account_id' | 'code' | 'count'>((value) =>
      addUp('send_outcomes', { hour: value('hour'), account_id: value('account_id'), code: value('code'), count: value('count') }),
    ),
    countNumber: insert('number_sends', numberSendsColumns, addUpSends),
    deliver: insert('sandbox_messages', sandboxMessageColumns, sql`on conflict do nothing`),
  };
}

export type RowStatements = ReturnType<typeof rowStatements>;
