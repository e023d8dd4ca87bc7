import type { Kysely } from 'kysely';
import type { Database, Store } from '../../store/index.ts';
import type { SandboxLinkedPhone } from '../index.ts';
import type { Device } from './device.ts';
import type { StoredMessage } from './message-row.ts';

/** Stores a newly linked device; an instance has one, so whatever it had before goes. */
export async function replaceDevice(transaction: Store['transaction'], device: Device): Promise<void> {
  await transaction(async (trx) => {
    await removeDevice(trx, device);
    await trx
      .insertInto('sandbox_devices')
      .values({
        id: device.id,
        account_id: device.accountId,
        instance_id: device.instanceId,
        phone_number: device.phoneNumber,
        linked_at: device.linkedAt,
      })
      .execute();
  });
}

/** The phone number of an instance's device; null when the phone has unlinked it. */
export async function findDevicePhone(db: Kysely<Database>, deviceId: string, instanceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sandbox_devices')
    .select('phone_number')
    .where('id', '=', deviceId)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return row?.phone_number ?? null;
}

/** Removes the device of an instance, if it has one. */
export async function removeDevice(db: Kysely<Database>, of: { accountId: string; instanceId: string }): Promise<void> {
  await db.deleteFrom('sandbox_devices').where('account_id', '=', of.accountId).where('instance_id', '=', of.instanceId).execute();
}

/** Removes every device of an account that is linked to this phone, and returns them, oldest first. */
export async function removeDevicesOfPhone(
  db: Kysely<Database>,
  accountId: string,
  phoneNumber: string,
): Promise<{ id: string; instanceId: string }[]> {
  const rows = await db
    .deleteFrom('sandbox_devices')
    .where('account_id', '=', accountId)
    .where('phone_number', '=', phoneNumber)
    .returning(['id', 'instance_id as instanceId', 'linked_at as linkedAt'])
    .execute();
  return rows.sort((a, b) => Number(a.linkedAt) - Number(b.linkedAt) || (a.id < b.id ? -1 : 1));
}

/** The devices of an account with their phones, oldest first. */
export async function findDevices(db: Kysely<Database>, accountId: string): Promise<SandboxLinkedPhone[]> {
  return db
    .selectFrom('sandbox_devices')
    .select(['phone_number as phoneNumber', 'instance_id as instanceId', 'linked_at as linkedAt'])
    .where('account_id', '=', accountId)
    .orderBy('linked_at')
    .orderBy('id')
    .execute();
}

/** Which messages are still kept: the newest `count` of an account, received after `after` (epoch milliseconds). */
export interface Kept {
  readonly count: number;
  readonly after: number;
}

/** From where on messages are read: older than an id the newest first, newer than an id the oldest first. */
export type From = { readonly olderThan: number | null } | { readonly newerThan: number };

/** At most `limit` of the messages that a contact (digits) received and that are kept, with what was stored of each message's file. */
export async function findMessages(
  db: Kysely<Database>,
  { accountId, to, kept, from, limit }: { accountId: string; to: string; kept: Kept; from: From; limit: number },
): Promise<StoredMessage[]> {
  const ofContact = keptMessages(db, accountId, kept)
    .select(['id', ...messageColumns, 'file'])
    .where('to_number', '=', to)
    .limit(limit);
  if ('newerThan' in from) return ofContact.where('id', '>', from.newerThan).orderBy('id').execute();
  const older = from.olderThan === null ? ofContact : ofContact.where('id', '<', from.olderThan);
  return older.orderBy('id', 'desc').execute();
}

/** The id of a message that is kept; undefined when the contact has none with this message id. */
export async function findMessageId(
  db: Kysely<Database>,
  { accountId, to, kept, messageId }: { accountId: string; to: string; kept: Kept; messageId: string },
): Promise<number | undefined> {
  const ofContact = keptMessages(db, accountId, kept).select('id').where('to_number', '=', to);
  return (await ofContact.where('message_id', '=', messageId).executeTakeFirst())?.id;
}

/** At most `limit` contacts with the id of their newest message and their number of messages, of what is kept; the one with the newest message first. */
export function findContacts(
  db: Kysely<Database>,
  accountId: string,
  kept: Kept,
  limit: number,
): Promise<{ newest: number; count: number }[]> {
  return keptMessages(db, accountId, kept)
    .select(({ fn }) => [fn.max('id').as('newest'), fn.countAll<number>().as('count')])
    .groupBy('to_number')
    .orderBy('newest', 'desc')
    .limit(limit)
    .execute();
}

/** The messages with these ids, the newest first. */
export async function findMessagesByIds(db: Kysely<Database>, ids: readonly number[]): Promise<StoredMessage[]> {
  return db
    .selectFrom('sandbox_messages')
    .select(['id', ...messageColumns, 'file'])
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
}

const messageColumns = ['message_id', 'from_number', 'to_number', 'type', 'content', 'quoted', 'received_at'] as const;

function keptMessages(db: Kysely<Database>, accountId: string, kept: Kept) {
  return db
    .selectFrom('sandbox_messages')
    .where('account_id', '=', accountId)
    .where('received_at', '>', kept.after)
    .where((eb) => eb('id', '>=', eb.fn.coalesce(oldestKept(db, accountId, kept.count).select('id'), eb.lit(0))));
}

/** The oldest of an account's newest `count` messages; null while it has fewer. */
export async function findOldestKept(
  db: Kysely<Database>,
  accountId: string,
  count: number,
): Promise<{ id: number; receivedAt: number } | null> {
  return (await oldestKept(db, accountId, count).select(['id', 'received_at as receivedAt']).executeTakeFirst()) ?? null;
}

function oldestKept(db: Kysely<Database>, accountId: string, count: number) {
  return db
    .selectFrom('sandbox_messages')
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(count - 1);
}

/** Deletes at most `limit` of an account's messages from before this id, and returns how many. */
export async function deleteBefore(db: Kysely<Database>, accountId: string, id: number, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('sandbox_messages')
    .where('id', 'in', (eb) =>
      eb.selectFrom('sandbox_messages').select('id').where('account_id', '=', accountId).where('id', '<', id).limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Of the `limit` oldest messages of all accounts, deletes those received up to `until` (epoch milliseconds), and returns how many. */
export async function deleteExpired(db: Kysely<Database>, until: number, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('sandbox_messages')
    .where('id', 'in', (eb) =>
      // Times have no index; ids grow with them, so the oldest rows are where expired ones are.
      eb
        .selectFrom(eb.selectFrom('sandbox_messages').select(['id', 'received_at']).orderBy('id').limit(limit).as('oldest'))
        .select('oldest.id')
        .where('oldest.received_at', '<=', until),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
