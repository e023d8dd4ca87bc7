import type { Database, Db, SandboxMessageRow, Store } from '../../store/index.ts';
import type { SandboxLinkedPhone } from '../index.ts';

/** One linked device, as a phone's list of linked devices would show it. */
export type Device = Database['sandbox_devices'];

/** The name of the one credential record of a sandbox number. */
export const deviceRecord = 'device';

/** The bytes of the credential record. */
export function encodeDevice(device: Device): Buffer {
  return Buffer.from(JSON.stringify({ device_id: device.id, phone_number: device.phone_number }));
}

/** The device id in a credential record. Throws when the bytes are not a valid record. */
export function decodeDeviceId(record: Uint8Array): string {
  const parsed: unknown = JSON.parse(Buffer.from(record).toString());
  if (typeof parsed === 'object' && parsed !== null && 'device_id' in parsed && typeof parsed.device_id === 'string')
    return parsed.device_id;
  throw new Error('the credential record of a sandbox number names no device');
}

/** Stores a newly linked device and removes the instance's previous one. */
export async function replaceDevice(transaction: Store['transaction'], device: Device): Promise<void> {
  await transaction(async (trx) => {
    await removeDevice(trx, { accountId: device.account_id, instanceId: device.instance_id });
    await trx.insertInto('sandbox_devices').values(device).execute();
  });
}

/** The phone number of an instance's device; null when the phone has unlinked it. */
export async function findDevicePhone(db: Db, deviceId: string, instanceId: string): Promise<string | null> {
  const row = await db
    .selectFrom('sandbox_devices')
    .select('phone_number')
    .where('id', '=', deviceId)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst();
  return row?.phone_number ?? null;
}

export async function removeDevice(db: Db, of: { accountId: string; instanceId: string }): Promise<void> {
  await db.deleteFrom('sandbox_devices').where('account_id', '=', of.accountId).where('instance_id', '=', of.instanceId).execute();
}

/** Removes every device of an account that is linked to this phone, and returns them, oldest first. */
export async function removeDevicesOfPhone(db: Db, accountId: string, phoneNumber: string): Promise<{ id: string; instanceId: string }[]> {
  const rows = await db
    .deleteFrom('sandbox_devices')
    .where('account_id', '=', accountId)
    .where('phone_number', '=', phoneNumber)
    .returning(['id', 'instance_id as instanceId', 'linked_at as linkedAt'])
    .execute();
  return rows.sort((a, b) => a.linkedAt - b.linkedAt || (a.id < b.id ? -1 : 1));
}

/** The devices of an account with their phones, oldest first. */
export async function findDevices(db: Db, accountId: string): Promise<SandboxLinkedPhone[]> {
  return db
    .selectFrom('sandbox_devices')
    .select(['phone_number as phoneNumber', 'instance_id as instanceId', 'linked_at as linkedAt'])
    .where('account_id', '=', accountId)
    .orderBy('linked_at')
    .orderBy('id')
    .execute();
}

/** Whether this phone has a message at the contact (both digits). */
export async function hasChat(db: Db, accountId: string, from: string, to: string): Promise<boolean> {
  return (await messagesTo(db, accountId, to).where('from_number', '=', from).limit(1).executeTakeFirst()) !== undefined;
}

/** The ids of a contact's messages. */
function messagesTo(db: Db, accountId: string, to: string) {
  return db.selectFrom('sandbox_messages').select('id').where('account_id', '=', accountId).where('to_number', '=', to);
}

/** Which messages are still kept: the newest `count` of an account, received after `after` (epoch milliseconds). */
export interface Kept {
  readonly count: number;
  readonly after: number;
}

/** The ids of the kept messages of a contact (digits), oldest first. Reads an index only, so large messages cost no more than small ones. */
export async function findMessageIds(db: Db, accountId: string, to: string, kept: Kept): Promise<number[]> {
  const first = await firstKept(db, accountId, kept);
  const rows = await messagesTo(db, accountId, to).where('id', '>=', first).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** The id of a contact's message, even if it is past its retention. */
export async function findMessageId(db: Db, accountId: string, to: string, messageId: string): Promise<number | undefined> {
  return (await messagesTo(db, accountId, to).where('message_id', '=', messageId).executeTakeFirst())?.id;
}

/**
 * For at most `limit` contacts, the id of the newest kept message and the number of kept messages; the contact with the newest message comes first.
 */
export async function findContacts(db: Db, accountId: string, kept: Kept, limit: number): Promise<Map<number, number>> {
  const first = await firstKept(db, accountId, kept);
  const rows = await db
    .selectFrom('sandbox_messages')
    .select(({ fn }) => [fn.max('id').as('newest'), fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .where('id', '>=', first)
    .groupBy('to_number')
    .orderBy('newest', 'desc')
    .limit(limit)
    .execute();
  return new Map(rows.map(({ newest, count }) => [newest, count]));
}

/** The messages with these ids that were received after `after` (epoch milliseconds), in no particular order. */
export async function findMessages(db: Db, ids: readonly number[], after: number): Promise<SandboxMessageRow[]> {
  return db.selectFrom('sandbox_messages').selectAll().where('id', 'in', ids).where('received_at', '>', after).execute();
}

/** The lowest message id of an account that may be kept. There is no index on times, but ids grow almost in the same order. */
async function firstKept(db: Db, accountId: string, { count, after }: Kept): Promise<number> {
  const young = db.selectFrom('sandbox_messages').select('id').where('received_at', '>', after).orderBy('id').limit(1);
  const oldest = await findOldestKept(db, accountId, count);
  return Math.max((await young.executeTakeFirst())?.id ?? Number.MAX_SAFE_INTEGER, oldest?.id ?? 0);
}

/** The oldest of an account's newest `count` messages; null when it has fewer. */
export async function findOldestKept(db: Db, accountId: string, count: number): Promise<{ id: number; receivedAt: number } | null> {
  const oldest = db
    .selectFrom('sandbox_messages')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(count - 1);
  // Reads the time of this row only: times are stored after the content, so reading them all would read every message.
  const row = await db
    .selectFrom('sandbox_messages')
    .select(['id', 'received_at as receivedAt'])
    .where('id', '=', oldest)
    .executeTakeFirst();
  return row ?? null;
}

/** Deletes at most `limit` of an account's messages with a lower id than this and returns how many. */
export async function deleteBefore(db: Db, accountId: string, id: number, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('sandbox_messages')
    .where('id', 'in', (eb) =>
      eb.selectFrom('sandbox_messages').select('id').where('account_id', '=', accountId).where('id', '<', id).limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Looks at the `limit` oldest messages of all accounts, deletes those received up to `until` (epoch milliseconds), and returns how many. */
export async function deleteExpired(db: Db, until: number, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('sandbox_messages')
    .where('id', 'in', (eb) =>
      // There is no index on times, but ids grow with them, so expired messages are among the lowest ids.
      eb
        .selectFrom(eb.selectFrom('sandbox_messages').select(['id', 'received_at']).orderBy('id').limit(limit).as('oldest'))
        .select('oldest.id')
        .where('oldest.received_at', '<=', until),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
