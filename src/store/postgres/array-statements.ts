import { type Kysely, type RawBuilder, sql } from 'kysely';
import { admissionQuery, claimMs, idempotencyWindowMs, sandboxMessageColumns } from '../hot-statements.ts';
import { requestColumns } from '../request-rows.ts';
import type { Database } from '../schema.ts';
import { compileOnce } from '../statements.ts';
import { databaseNow, livingNode } from './leases.ts';

/** The columns of a number-day in the order in which a batch is written. */
export const numberDayColumns = ['account_id', 'day', 'phone_number'] as const;

const textColumn = 'text[]';
/** The types of the columns that are not text, for the arrays that bring their values. */
const columnTypes: Readonly<Record<string, string>> = {
  at: 'bigint[]',
  received_at: 'bigint[]',
  duration_ms: 'double precision[]',
  status: 'integer[]',
};

/** The statements of the hot path on PostgreSQL: arrays in, one element per call, and rows out. Compiled once. */
export function arrayStatements(db: Kysely<Database>) {
  const compile = <Name extends string>(build: (value: (name: Name) => never) => RawBuilder<unknown>) =>
    compileOnce<Name>((value) => ({ compile: () => build(value).compile(db) }));
  const windowMs = sql.lit(idempotencyWindowMs);
  const deadline = sql`${databaseNow} + ${sql.lit(claimMs)}`;

  /**
   * Whether the sender of a claim in flight is gone, so that its outcome is unknown. A deadline that is too far ahead is of a primary whose clock
   * was ahead.
   */
  const abandoned = sql`(claims.deadline <= ${databaseNow} or claims.deadline > ${deadline} or (claims.node <> '' and not ${livingNode(sql.ref('claims.node'))}))`;
  /** Whether call `c` comes from the number's owner; a call without an epoch comes from a store with one server only. */
  const isOwner = sql`(c.epoch is null or exists (
    select 1 from leases where leases.instance_id = c.instance and leases.node_id = c.node and leases.epoch = c.epoch))`;
  /** The claim's state now, for call `c`. If the caller owns the number by now, the link of the node that sent is closed. */
  const state = sql`case
    when claims.state = 'in_flight' and (${abandoned} or (c.epoch is not null and claims.node <> c.node and ${isOwner})) then 'unknown'
    else claims.state end`;

  /** Rows for an insert out of one array per column. */
  const insertMany = <Column extends string>(table: string, columns: readonly Column[], value: (name: Column) => never) => sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select * from unnest(${sql.join(columns.map((column) => sql`${value(column)}::${sql.raw(columnTypes[column] ?? textColumn)}`))})`;

  /** The reason to refuse each call, in the contract's order; `free` when only the trial could be one. */
  const asked = (value: (name: AskedColumn) => never) => sql`
    select c.*, k.message_id, k.provider_status, k.owner as holder, k.node as holder_node, k.id is not null and not k.live as expired, case
      when k.live and k.fingerprint <> c.fingerprint then 'reused'
      when k.live and k.state = 'accepted' then 'replay'
      when k.live and k.state = 'in_flight' then 'in_flight'
      when i.id is null then 'instance_not_found'
      when not c.linked then 'not_connected'
      when not ${isOwner} then 'not_owner'
      else 'free' end as outcome
    from (
      select *, ${databaseNow} as at
      from unnest(${value('account')}::text[], ${value('instance')}::text[], ${value('linked')}::boolean[], ${value('key')}::text[],
        ${value('fingerprint')}::text[], ${value('message')}::text[], ${value('owner')}::text[], ${value('node')}::text[],
        ${value('epoch')}::bigint[])
        with ordinality as calls (account, instance, linked, key, fingerprint, message, owner, node, epoch, n)
    ) c
    left join lateral (
      select id, fingerprint, state, message_id, provider_status, owner, node, created_at > c.at - ${windowMs} or state = 'in_flight' as live
      from (
        select id, fingerprint, ${state} as state, message_id, provider_status, owner, node, created_at
        from claims where account_id = c.account and key = c.key
      ) claim
    ) k on true
    left join instances i on i.id = c.instance and i.account_id = c.account`;

  /** Inserts claim rows of the numbers' owners; one that is claimed anew has 24 hours from now on, and comes behind all others, where what is deleted by age looks for it then. Where another batch has inserted one meanwhile, that row stays and is not returned. */
  const claimRows = (rows: RawBuilder<unknown>) => sql`
    insert into claims (account_id, key, fingerprint, message_id, state, owner, created_at, node, deadline) ${rows}
    on conflict (account_id, key) do update set
      id = default, state = 'in_flight', owner = excluded.owner, fingerprint = excluded.fingerprint, provider_status = null,
      node = excluded.node, deadline = excluded.deadline,
      message_id = case when claims.created_at > excluded.created_at - ${windowMs} then claims.message_id else excluded.message_id end,
      created_at = excluded.created_at
    where (claims.state <> 'in_flight' or claims.node <> excluded.node or ${abandoned}) and (claims.created_at <= excluded.created_at - ${windowMs}
      or (claims.state <> 'accepted' and claims.fingerprint = excluded.fingerprint))
    returning account_id, key, message_id, xmax <> 0 as existed`;

  return {
    admit: compile<'hash'>(
      (value) =>
        sql`${admissionQuery(db)
          .select('api_keys.hash as hash')
          .where('api_keys.hash', '=', sql<string>`any(${value('hash')}::text[])`)}`,
    ),
    // Another batch that touches the same key right now writes the same second, so its locked row is skipped.
    touch: compile<'id' | 'used'>(
      (value) => sql`
      update api_keys set last_used_at = due.used from (
        select k.id, c.used from unnest(${value('id')}::text[], ${value('used')}::bigint[]) as c (id, used) join api_keys k on k.id = c.id
        where k.last_used_at is null or k.last_used_at < c.used
        for no key update of k skip locked
      ) due where api_keys.id = due.id`,
    ),
    look: compile<AskedColumn>(
      (value) => sql`select n, outcome, message_id, provider_status, holder, holder_node, expired from (${asked(value)}) asked`,
    ),
    // The rows of the calls, then one for each claim that was written.
    claim: compile<AskedColumn>(
      (value) => sql`
      with asked as (${asked(value)}), written as (${claimRows(sql`
        select distinct on (account, key) account, key, fingerprint, message, 'in_flight', owner, at, coalesce(node, ''), ${deadline}
        from asked where outcome = 'free' and key is not null order by account, key, n`)})
      select n, outcome, message_id, provider_status, holder, holder_node, expired, null as account_id, null as key, null as existed from asked
      union all select null, null, message_id, null, null, null, null, account_id, key, existed from written`,
    ),
    // For keys that are most likely new: much cheaper to set up than `claim`, which gets the calls for which this one writes nothing.
    claimNew: compile<Exclude<AskedColumn, 'linked'>>(
      (value) => sql`
      insert into claims (account_id, key, fingerprint, message_id, state, owner, created_at, node, deadline)
      select account, key, fingerprint, message, 'in_flight', owner, ${databaseNow}, coalesce(c.node, ''), ${deadline}
      from unnest(${value('account')}::text[], ${value('instance')}::text[], ${value('key')}::text[], ${value('fingerprint')}::text[],
        ${value('message')}::text[], ${value('owner')}::text[], ${value('node')}::text[], ${value('epoch')}::bigint[])
        as c (account, instance, key, fingerprint, message, owner, node, epoch)
      join instances i on i.id = c.instance and i.account_id = c.account
      where ${isOwner}
      on conflict (account_id, key) do nothing
      returning account_id, key`,
    ),
    // Ordered, so that two transactions that need the same accounts never wait for each other.
    lockTrials: compile<'account'>(
      (value) => sql`select id, trial_used from accounts where id = any(${value('account')}::text[]) order by id for no key update`,
    ),
    countReservations: compile<'account'>(
      (value) => sql`
      select account_id, count(*) as reserved from trial_reservations
      where account_id = any(${value('account')}::text[]) and deadline > ${databaseNow}
      group by account_id`,
    ),
    reserveAndClaim: compile<'reservation' | 'reserving' | 'reserver' | 'account' | 'key' | 'fingerprint' | 'message' | 'owner' | 'node'>(
      (value) => sql`
      with reserved as (
        insert into trial_reservations (id, account_id, node, deadline)
        select id, account, coalesce(node, ''), ${deadline}
        from unnest(${value('reservation')}::text[], ${value('reserving')}::text[], ${value('reserver')}::text[]) as c (id, account, node)
      ) ${claimRows(sql`
        select account, key, fingerprint, message, 'in_flight', owner, ${databaseNow}, coalesce(node, ''), ${deadline}
        from unnest(${value('account')}::text[], ${value('key')}::text[], ${value('fingerprint')}::text[], ${value('message')}::text[],
          ${value('owner')}::text[], ${value('node')}::text[])
          as c (account, key, fingerprint, message, owner, node)`)}`,
    ),
    // For sends without a key and without a trial, which are most of them.
    settle: compile<UsageColumn | NotedColumn>(
      (value) => sql`with counted as (select * from ${usage(value)}), noted as (${noteSettlement(value)}), ${countSends}`,
    ),
    // An accepted claim does not change and is not counted again. The counts of sends without a key come as sums.
    settleAny: compile<AcceptedColumn | UsageColumn | NotedColumn | 'reservation'>(
      (value) => sql`
      with accepted as (
        update claims set state = 'accepted', owner = '', provider_status = c.provider_status
        from unnest(${value('claimer')}::text[], ${value('key')}::text[], ${value('providerStatus')}::text[], ${value('keyedDay')}::text[],
          ${value('keyedType')}::text[], ${value('keyedTrial')}::integer[]) as c (account, key, provider_status, day, type, trial)
        where claims.account_id = c.account and claims.key = c.key and claims.state <> 'accepted'
        returning c.account, c.day, c.type, 1 as count, c.trial
      ), counted as (
        select account, day, type, sum(count)::integer as count, sum(trial)::integer as trial
        from (select * from accepted union all select * from ${usage(value)}) sends group by account, day, type order by account, day, type
      ), noted as (${noteSettlement(value)}), unreserved as (
        delete from trial_reservations where id = any(${value('reservation')}::text[])
      ), used as (
        update accounts set trial_used = trial_used + c.used
        from (select account, sum(trial)::integer as used from counted where trial > 0 group by account order by account) c
        where accounts.id = c.account
      ), ${countSends}`,
    ),
    seeNumbers: compile<(typeof numberDayColumns)[number]>(
      (value) => sql`
      with seen as (${insertMany('usage_number_days', numberDayColumns, value)} on conflict do nothing returning account_id, day)
      insert into usage_number_days_by_month (account_id, month, count)
      select account_id, substr(day, 1, 7), count(*)::integer from seen group by 1, 2 order by 1, 2
      on conflict (account_id, month) do update set count = usage_number_days_by_month.count + excluded.count`,
    ),
    // Only the claim's own request releases it: another may have taken it over. An accepted claim, which has no owner, stays accepted.
    release: compile<'forgetAccount' | 'forgetKey' | 'forgetOwner' | 'leaveAccount' | 'leaveKey' | 'leaveOwner' | 'reservation'>(
      (value) => sql`
      with forgotten as (
        delete from claims
        using unnest(${value('forgetAccount')}::text[], ${value('forgetKey')}::text[], ${value('forgetOwner')}::text[]) as c (account, key, owner)
        where claims.account_id = c.account and claims.key = c.key and claims.owner = c.owner
      ), left_behind as (
        update claims set state = 'unknown'
        from unnest(${value('leaveAccount')}::text[], ${value('leaveKey')}::text[], ${value('leaveOwner')}::text[]) as c (account, key, owner)
        where claims.account_id = c.account and claims.key = c.key and claims.owner = c.owner and claims.state = 'in_flight'
      ) delete from trial_reservations where id = any(${value('reservation')}::text[])`,
    ),
    // The leases of the calls stay locked until the write is done, so that no other server takes a number in between. Returns the calls of the
    // numbers' earlier owners, of which nothing is written.
    keep: compile<KeepColumn>(
      (value) => sql`
      with calls as (
        select * from unnest(${value('calling')}::text[], ${value('node')}::text[], ${value('epoch')}::bigint[]) as c (instance, node, epoch)
      ), held as (
        select instance_id, epoch from leases
        where exists (select 1 from calls where calls.instance = instance_id and calls.node = node_id and calls.epoch = leases.epoch)
        order by instance_id for share
      ), allowed as (
        select instance, epoch from calls
        where epoch is null or exists (select 1 from held where held.instance_id = calls.instance and held.epoch = calls.epoch)
      ), gone as (
        delete from credentials
        using unnest(${value('goneInstance')}::text[], ${value('goneName')}::text[], ${value('goneEpoch')}::bigint[]) as c (instance, name, epoch),
          allowed
        where credentials.instance_id = c.instance and credentials.name = c.name
          and allowed.instance = c.instance and allowed.epoch is not distinct from c.epoch
      ), linked as (
        update instances set linked = 1 from allowed where instances.id = allowed.instance and instances.linked = 0
      ), sent as (
        insert into sent_messages (instance_id, message_id, sealed, at)
        select c.instance, message, sealed, ${databaseNow}
        from unnest(${value('sentInstance')}::text[], ${value('sentMessage')}::text[], ${value('sentSealed')}::bytea[],
          ${value('sentEpoch')}::bigint[]) as c (instance, message, sealed, epoch)
        join allowed on allowed.instance = c.instance and allowed.epoch is not distinct from c.epoch
        on conflict (instance_id, message_id) do update set sealed = excluded.sealed
      ), kept as (
        insert into credentials (instance_id, name, sealed)
        select c.instance, name, sealed
        from unnest(${value('instance')}::text[], ${value('name')}::text[], ${value('sealed')}::bytea[], ${value('keptEpoch')}::bigint[])
          as c (instance, name, sealed, epoch)
        join allowed on allowed.instance = c.instance and allowed.epoch is not distinct from c.epoch
        on conflict (instance_id, name) do update set sealed = excluded.sealed
      ) select instance, epoch from calls except select instance, epoch from allowed`,
    ),
    forgetSent: compile<'instance' | 'message'>(
      (value) => sql`
      delete from sent_messages using unnest(${value('instance')}::text[], ${value('message')}::text[]) as c (instance, message)
      where sent_messages.instance_id = c.instance and sent_messages.message_id = c.message`,
    ),
    deliver: compile<(typeof sandboxMessageColumns)[number]>(
      (value) =>
        sql`${insertMany('sandbox_messages', sandboxMessageColumns, value)} on conflict do nothing returning account_id, to_number, message_id`,
    ),
    log: compile<(typeof requestColumns)[number] | OutcomeColumn>(
      (value) => sql`
      with counted as (
        insert into send_outcomes (hour, account_id, code, count)
        select * from unnest(${value('outcomeHour')}::integer[], ${value('outcomeAccount')}::text[], ${value('outcomeCode')}::text[],
          ${value('outcomeCount')}::integer[])
        on conflict (hour, account_id, code) do update set count = send_outcomes.count + excluded.count
      ) ${insertMany('requests', requestColumns, value)}`,
    ),
  };
}

export type ArrayStatements = ReturnType<typeof arrayStatements>;

type AskedColumn = 'account' | 'instance' | 'linked' | 'key' | 'fingerprint' | 'message' | 'owner' | 'node' | 'epoch';
type KeepColumn =
  | 'calling'
  | 'node'
  | 'epoch'
  | 'instance'
  | 'name'
  | 'sealed'
  | 'keptEpoch'
  | 'goneInstance'
  | 'goneName'
  | 'goneEpoch'
  | 'sentInstance'
  | 'sentMessage'
  | 'sentSealed'
  | 'sentEpoch';
type AcceptedColumn = 'claimer' | 'key' | 'providerStatus' | 'keyedDay' | 'keyedType' | 'keyedTrial';
type OutcomeColumn = 'outcomeHour' | 'outcomeAccount' | 'outcomeCode' | 'outcomeCount';
type UsageColumn = 'account' | 'day' | 'type' | 'count' | 'trial';
type NotedColumn = 'requests';

/** Sums of sends; `trial`: how many of them were a trial's. */
const usage = (value: (name: UsageColumn) => never) => sql`
  unnest(${value('account')}::text[], ${value('day')}::text[], ${value('type')}::text[], ${value('count')}::integer[],
    ${value('trial')}::integer[]) as c (account, day, type, count, trial)`;

/** Counts the sums in `counted` for their days and months. Last in a statement, so that its rows are locked in the order in which `settleOnce` locks them. */
const countSends = sql`
  by_month as (
    insert into usage_sends_by_month (account_id, month, type, count)
    select account, substr(day, 1, 7), type, sum(count)::integer from counted group by 1, 2, 3 order by 1, 2, 3
    on conflict (account_id, month, type) do update set count = usage_sends_by_month.count + excluded.count
  )
  insert into usage_sends (account_id, day, type, count)
  select account, day, type, count from counted
  on conflict (account_id, day, type) do update set count = usage_sends.count + excluded.count`;

/** `requests`: null when there is nothing to note. */
const noteSettlement = (value: (name: NotedColumn) => never) => sql`
  insert into settlements (at, requests)
  select ${databaseNow}, requests from (select ${value('requests')}::text as requests) noted where requests is not null`;
