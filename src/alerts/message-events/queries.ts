import { type Kysely, sql } from 'kysely';
import type { MessageNews } from '../../networks/index.ts';
import type { Database } from '../../store/index.ts';
import type { EventName } from './names.ts';

type Db = Kysely<Database>;

/** Each id is one of the parameters that a statement may have. */
const rowsPerUpdate = 500;
// As literals, for SQLite finds the indexes of such rows by nothing else.
const untold = sql.lit(0);
const waiting = sql.lit('waiting' as const);

/** Something that became of a message of an account's number. */
export interface Happened extends Omit<MessageNews, 'at'> {
  readonly accountId: string;
  readonly instanceId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A webhook that is told of messages, and whose. */
export interface Follower {
  readonly account_id: string | null;
  readonly provider_id: string | null;
  readonly events: string;
}

/** Every webhook that is told of messages. */
export function selectFollowers(db: Db): Promise<Follower[]> {
  return db.selectFrom('alert_targets').select(['account_id', 'provider_id', 'events']).where('events', '<>', '[]').execute();
}

/** The accounts of these providers. */
export async function accountsOf(db: Db, providerIds: readonly string[]): Promise<{ id: string; provider_id: string }[]> {
  if (providerIds.length === 0) return [];
  return db.selectFrom('accounts').select(['id', 'provider_id']).where('provider_id', 'in', providerIds).execute();
}

/**
 * Stores in one statement what happened, for each webhook that is told of the account's messages. What it is not to be told of is stored as told: by
 * that a later event is known to be of a message that was sent here. What is of no such message, or is stored already, is left out.
 */
export async function insertHappened(db: Db, happened: readonly Happened[], now: number): Promise<void> {
  const rows = happened.map(
    ({ accountId, instanceId, messageId, event, at, sentHere }, place) =>
      sql`(cast(${place} as integer), ${accountId}, ${instanceId}, ${messageId}, ${event}, cast(${at} as bigint), cast(${sentHere ? 1 : 0} as integer))`,
  );
  await sql`
    with happened (place, account_id, instance_id, message_id, event, at, sent_here) as (values ${sql.join(rows)})
    insert into message_events (target_id, account_id, instance_id, message_id, event, at, noted_at, told)
    select alert_targets.id, happened.account_id, happened.instance_id, happened.message_id, happened.event, happened.at, cast(${now} as bigint),
      case when alert_targets.events like '%"message.' || happened.event || '"%' then 0 else 1 end
    from happened
    join accounts on accounts.id = happened.account_id
    join alert_targets on alert_targets.events <> '[]' and (
      alert_targets.account_id = accounts.id
      or alert_targets.provider_id = accounts.provider_id
      or (alert_targets.account_id is null and alert_targets.provider_id is null)
    )
    where happened.sent_here = 1
      or exists (
        select 1 from sent_messages
        where sent_messages.instance_id = happened.instance_id and sent_messages.message_id = happened.message_id
      )
      or exists (
        select 1 from message_events as earlier
        where earlier.instance_id = happened.instance_id and earlier.message_id = happened.message_id
      )
    order by happened.place
    on conflict do nothing`.execute(db);
}

/** Whether the request log has a send of the number with this message id. */
export async function wasSent(db: Db, { instanceId, messageId }: Happened): Promise<boolean> {
  const found = db.selectFrom('requests').select('id').where('message_id', '=', messageId).where('instance_id', '=', instanceId);
  return (await found.limit(1).executeTakeFirst()) !== undefined;
}

/** The webhooks that have events to be told and to which nothing is being sent. */
export async function targetsToGather(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_targets')
    .select('id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('message_events')
          .select('message_events.id')
          .whereRef('message_events.target_id', '=', 'alert_targets.id')
          .where('told', '=', untold),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('alert_deliveries')
            .select('alert_deliveries.id')
            .whereRef('alert_deliveries.target_id', '=', 'alert_targets.id')
            .where('state', '=', waiting),
        ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether something is being sent to the webhook, or waits for its turn. */
export async function isBeingSent(db: Db, targetId: string): Promise<boolean> {
  const row = await db
    .selectFrom('alert_deliveries')
    .select('id')
    .where('target_id', '=', targetId)
    .where('state', '=', waiting)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What a webhook is to be told of next, in order. */
export function selectUntold(db: Db, targetId: string, most: number) {
  return db
    .selectFrom('message_events')
    .selectAll()
    .where('target_id', '=', targetId)
    .where('told', '=', untold)
    .orderBy('id')
    .limit(most)
    .execute();
}

export type UntoldRow = Awaited<ReturnType<typeof selectUntold>>[number];

/** These are told, or are not to be told any more. */
export async function markTold(db: Db, ids: readonly number[]): Promise<void> {
  for (let i = 0; i < ids.length; i += rowsPerUpdate)
    await db
      .updateTable('message_events')
      .set({ told: 1 })
      .where('id', 'in', ids.slice(i, i + rowsPerUpdate))
      .execute();
}

/** Leaves a webhook with the newest `most` of what it is to be told; how many are not told now. */
export async function dropOldest(db: Db, targetId: string, most: number): Promise<number> {
  const dropped = await db
    .selectFrom('message_events')
    .select('id')
    .where('target_id', '=', targetId)
    .where('told', '=', untold)
    .orderBy('id', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  if (dropped === undefined) return 0;
  const { numUpdatedRows } = await db
    .updateTable('message_events')
    .set({ told: 1 })
    .where('target_id', '=', targetId)
    .where('told', '=', untold)
    .where('id', '<=', dropped.id)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The webhooks that are told of messages. */
export async function followingTargets(db: Db): Promise<string[]> {
  return (await db.selectFrom('alert_targets').select('id').where('events', '<>', '[]').execute()).map(({ id }) => id);
}

/** A webhook is told no more of these events, those that wait included. */
export async function forgetUntold(db: Db, targetId: string, names: readonly EventName[]): Promise<void> {
  if (names.length === 0) return;
  await db
    .updateTable('message_events')
    .set({ told: 1 })
    .where('target_id', '=', targetId)
    .where('told', '=', untold)
    .where(sql`'message.' || event`, 'in', names)
    .execute();
}

/** What a webhook was still to be told goes with it. The rest is deleted when its time is over: there may be much of it. */
export async function deleteUntold(db: Db, targetId: string): Promise<void> {
  await db.deleteFrom('message_events').where('target_id', '=', targetId).where('told', '=', untold).execute();
}
