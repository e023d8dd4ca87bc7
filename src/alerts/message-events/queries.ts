import { sql } from 'kysely';
import { parts } from '../../core/index.ts';
import type { MessageNews } from '../../networks/index.ts';
import type { Db } from '../../store/index.ts';
import type { EventName } from '../conditions/conditions.ts';

/** Each id is one of the parameters that a statement may have. */
const rowsPerUpdate = 500;
// Literals, because SQLite uses the indexes of such rows for nothing else.
const pending = sql.lit(0);
const waiting = sql.lit('waiting' as const);

/** What became of a message of an account's number. */
export interface NewEvent extends Omit<MessageNews, 'at'> {
  readonly accountId: string;
  readonly instanceId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface Follower {
  readonly id: string;
  readonly account_id: string | null;
  readonly provider_id: string | null;
  readonly events: string;
}

export function selectFollowers(db: Db): Promise<Follower[]> {
  return db.selectFrom('alert_targets').select(['id', 'account_id', 'provider_id', 'events']).where('events', '<>', '[]').execute();
}

export async function accountsOfProviders(db: Db, providerIds: readonly string[]): Promise<{ id: string; provider_id: string }[]> {
  if (providerIds.length === 0) return [];
  return db.selectFrom('accounts').select(['id', 'provider_id']).where('provider_id', 'in', providerIds).execute();
}

/**
 * Stores events in one statement, for each webhook that gets events of the account's messages. Events that it has not chosen are stored as sent: they
 * show that later ones are of a message that was sent here. Events of other messages, or that are stored already, are left out.
 */
export async function insertEvents(db: Db, happened: readonly NewEvent[], now: number): Promise<void> {
  const rows = happened.map(
    ({ accountId, instanceId, messageId, event, at, sentHere }, place) =>
      sql`(cast(${place} as integer), ${accountId}, ${instanceId}, ${messageId}, ${event}, cast(${at} as bigint), cast(${sentHere ? 1 : 0} as integer))`,
  );
  await sql`
    with happened (place, account_id, instance_id, message_id, event, at, sent_here) as (values ${sql.join(rows)})
    insert into message_events (target_id, account_id, instance_id, message_id, event, at, noted_at, sent)
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
export async function wasSent(db: Db, { instanceId, messageId }: NewEvent): Promise<boolean> {
  const found = db.selectFrom('requests').select('id').where('message_id', '=', messageId).where('instance_id', '=', instanceId);
  return (await found.limit(1).executeTakeFirst()) !== undefined;
}

/** The webhooks for which events wait and to which nothing is being sent. */
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
          .where('sent', '=', pending),
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

/** The next events of a webhook, in order. */
export function selectPendingEvents(db: Db, targetId: string, most: number) {
  return db
    .selectFrom('message_events')
    .selectAll()
    .where('target_id', '=', targetId)
    .where('sent', '=', pending)
    .orderBy('id')
    .limit(most)
    .execute();
}

export type PendingEvent = Awaited<ReturnType<typeof selectPendingEvents>>[number];

/** These are sent, or dropped. */
export async function markSent(db: Db, ids: readonly number[]): Promise<void> {
  for (const some of parts(ids, rowsPerUpdate)) await db.updateTable('message_events').set({ sent: 1 }).where('id', 'in', some).execute();
}

/** Leaves the newest `most` events that wait for a webhook; how many were dropped. */
export async function dropOldest(db: Db, targetId: string, most: number): Promise<number> {
  const dropped = await db
    .selectFrom('message_events')
    .select('id')
    .where('target_id', '=', targetId)
    .where('sent', '=', pending)
    .orderBy('id', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  if (dropped === undefined) return 0;
  const { numUpdatedRows } = await db
    .updateTable('message_events')
    .set({ sent: 1 })
    .where('target_id', '=', targetId)
    .where('sent', '=', pending)
    .where('id', '<=', dropped.id)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Drops those of these events that wait for a webhook. */
export async function dropPendingEvents(db: Db, targetId: string, names: readonly EventName[]): Promise<void> {
  if (names.length === 0) return;
  await db
    .updateTable('message_events')
    .set({ sent: 1 })
    .where('target_id', '=', targetId)
    .where('sent', '=', pending)
    .where(sql`'message.' || event`, 'in', names)
    .execute();
}

/** Deletes the events that wait for a webhook. Those that were sent are deleted when they are old: there may be many. */
export async function deletePendingEvents(db: Db, targetId: string): Promise<void> {
  await db.deleteFrom('message_events').where('target_id', '=', targetId).where('sent', '=', pending).execute();
}
