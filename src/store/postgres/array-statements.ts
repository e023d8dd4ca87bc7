import { type Kysely, sql } from 'kysely';
import { admissionQuery } from '../admission.ts';
import { claimMs } from '../judge.ts';
import { addUpSends, requestColumns } from '../request-log.ts';
import { type Database, numberSendsColumns, sandboxMessageColumns } from '../schema.ts';
import { settlementIsPending } from '../send-ends.ts';
import { sqlCompiler, type Value } from '../statements.ts';
import { databaseNow, livingNode } from './leases.ts';

/** The columns of a number-day in the order in which a batch is written. */
export const numberDayColumns = ['account_id', 'day', 'phone_number'] as const;

/** The columns of claims to accept, with where their sends are counted. */
export const acceptedColumns = ['claimer', 'key', 'messageId', 'providerStatus', 'keyedDay', 'keyedType', 'keyedTrial'] as const;

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
  const compile = sqlCompiler(db);
  const deadline = sql`${databaseNow} + ${sql.lit(claimMs)}`;
  const numberSends = sql.join(numberSendsColumns.map((column) => sql.ref(column)));

  /** Whether call `c` comes from the number's owner; a call without an epoch comes from a store with one server only. */
  const isOwner = sql`(c.epoch is null or exists (
    select 1 from leases where leases.instance_id = c.instance and leases.node_id = c.node and leases.epoch = c.epoch))`;

  /** Rows for an insert out of one array per column. */
  const insertMany = <Column extends string>(table: string, columns: readonly Column[], value: Value<Column>) => sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select * from unnest(${sql.join(columns.map((column) => sql`${value(column)}::${sql.raw(columnTypes[column] ?? textColumn)}`))})`;

  /** Claims of keys without a record, by the numbers' owners. Where another batch has inserted one meanwhile, that row stays and is not returned. */
  const insertClaims = (value: Value<NewClaimColumn>) => sql`
    insert into claims (account_id, key, fingerprint, message_id, state, owner, created_at, node, deadline)
    select account, key, fingerprint, message, 'in_flight', owner, ${databaseNow}, c.node, ${deadline}
    from unnest(${value('account')}::text[], ${value('instance')}::text[], ${value('key')}::text[], ${value('fingerprint')}::text[],
      ${value('messageId')}::text[], ${value('owner')}::text[], ${value('node')}::text[], ${value('epoch')}::bigint[], ${value('id')}::bigint[])
      as c (account, instance, key, fingerprint, message, owner, node, epoch, record)
    join instances i on i.id = c.instance and i.account_id = c.account
    where record is null and ${isOwner}
    on conflict (account_id, key) do nothing
    returning account_id, key`;

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
    // What there is for each call, in their order. The units of a trial are counted once for all calls of its account.
    findClaims: compile<'account' | 'instance' | 'key' | 'node' | 'epoch' | 'trial'>(
      (value) => sql`
      with trials as materialized (
        select id, trial_used
          + (select count(*) from trial_reservations
            where account_id = accounts.id and (deadline > ${databaseNow} or ${settlementIsPending(sql.ref('trial_reservations.id'))})) as taken
        from accounts where id = any(${value('trial')}::text[])
      ) select c.at as now, k.id, k.fingerprint, k.state, k.message_id as "messageId", k.provider_status as "providerStatus", k.owner, k.node,
        k.created_at as "createdAt", k.deadline, k.node = '' or ${livingNode(sql.ref('k.node'))} as "nodeLives",
        i.id is not null as "hasInstance", ${isOwner} as "isOwner",
        coalesce((select taken from trials where trials.id = c.account), 0) as "trialTaken"
      from (
        select *, ${databaseNow} as at
        from unnest(${value('account')}::text[], ${value('instance')}::text[], ${value('key')}::text[], ${value('node')}::text[],
          ${value('epoch')}::bigint[])
          with ordinality as calls (account, instance, key, node, epoch, n)
      ) c
      left join claims k on k.account_id = c.account and k.key = c.key
      left join instances i on i.id = c.instance and i.account_id = c.account
      order by n`,
    ),
    claimNew: compile<NewClaimColumn>(insertClaims),
    // A record that has been claimed, accepted or given back since it was looked at stays as it is, and is not returned. One that is claimed anew
    // comes behind all others, where what is deleted by age looks for it.
    saveClaims: compile<NewClaimColumn | 'state' | 'reservation' | 'reserving' | 'reserver'>(
      (value) => sql`
      with reserved as (
        insert into trial_reservations (id, account_id, node, deadline)
        select id, account, node, ${deadline}
        from unnest(${value('reservation')}::text[], ${value('reserving')}::text[], ${value('reserver')}::text[]) as c (id, account, node)
      ), retaken as (
        update claims set id = default, state = 'in_flight', owner = c.owner, fingerprint = c.fingerprint, message_id = c.message,
          provider_status = null, node = c.node, created_at = ${databaseNow}, deadline = ${deadline}
        from unnest(${value('fingerprint')}::text[], ${value('messageId')}::text[], ${value('owner')}::text[], ${value('node')}::text[],
          ${value('id')}::bigint[], ${value('state')}::text[]) as c (fingerprint, message, owner, node, record, state)
        where claims.id = c.record and claims.state = c.state
        returning claims.account_id, claims.key
      ), inserted as (${insertClaims(value)})
      select account_id, key from retaken union all select account_id, key from inserted`,
    ),
    // Ordered, so that two transactions that need the same accounts never wait for each other.
    lockTrials: compile<'account'>(
      (value) => sql`select id from accounts where id = any(${value('account')}::text[]) order by id for no key update`,
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
        from unnest(${value('claimer')}::text[], ${value('key')}::text[], ${value('messageId')}::text[], ${value('providerStatus')}::text[],
          ${value('keyedDay')}::text[], ${value('keyedType')}::text[], ${value('keyedTrial')}::integer[])
          as c (account, key, message, provider_status, day, type, trial)
        where claims.account_id = c.account and claims.key = c.key and claims.message_id = c.message and claims.state <> 'accepted'
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
        update instances set linked = 1, linked_at = null from allowed where instances.id = allowed.instance and instances.linked = 0
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
    log: compile<(typeof requestColumns)[number] | 'outcomes' | 'numbers'>(
      (value) => sql`
      with counted as (
        insert into send_outcomes (hour, account_id, code, count)
        select hour, account_id, code, count from json_populate_recordset(null::send_outcomes, ${value('outcomes')}::json)
        on conflict (hour, account_id, code) do update set count = send_outcomes.count + excluded.count
      ), numbers as (
        insert into number_sends (${numberSends}) select ${numberSends} from json_populate_recordset(null::number_sends, ${value('numbers')}::json)
        ${addUpSends}
      ) ${insertMany('requests', requestColumns, value)}`,
    ),
  };
}

export type ArrayStatements = ReturnType<typeof arrayStatements>;

type NewClaimColumn = 'account' | 'instance' | 'key' | 'fingerprint' | 'messageId' | 'owner' | 'node' | 'epoch' | 'id';
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
type AcceptedColumn = (typeof acceptedColumns)[number];
type UsageColumn = 'account' | 'day' | 'type' | 'count' | 'trial';
type NotedColumn = 'requests';

/** Sums of sends; `trial`: how many of them were a trial's. */
const usage = (value: Value<UsageColumn>) => sql`
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
const noteSettlement = (value: Value<NotedColumn>) => sql`
  insert into settlements (at, requests)
  select ${databaseNow}, requests from (select ${value('requests')}::text as requests) noted where requests is not null`;
