import { sql } from 'kysely';
import type { NetworkName } from '../networks/index.ts';
import type { Db, InstanceRow, LinkStatus } from '../store/index.ts';

/** Every instance, oldest first. */
export function allInstances(db: Db): Promise<InstanceRow[]> {
  return db.selectFrom('instances').selectAll().orderBy('created_at').orderBy('id').execute();
}

/**
 * The account's instances, oldest first, each with the server that owns it, its address and the status that this one reported last: `close` when no
 * server owns it.
 */
export function ownedInstances(
  db: Db,
  accountId: string,
): Promise<(InstanceRow & { readonly node: string | null; readonly address: string | null; readonly status: LinkStatus })[]> {
  // A lease whose server is gone still has the status of then.
  return db
    .selectFrom('instances')
    .leftJoin('leases', (join) => join.onRef('leases.instance_id', '=', 'instances.id').on('leases.node_id', 'is not', null))
    .leftJoin('nodes', 'nodes.id', 'leases.node_id')
    .selectAll('instances')
    .select((eb) => ['leases.node_id as node', 'nodes.address', eb.fn.coalesce('leases.status', eb.val<LinkStatus>('close')).as('status')])
    .where('account_id', '=', accountId)
    .orderBy('instances.created_at')
    .orderBy('instances.id')
    .execute();
}

/** The account's instances on these networks, oldest first. */
export async function instancesOn(db: Db, accountId: string, networks: readonly NetworkName[]): Promise<InstanceRow[]> {
  if (networks.length === 0) return [];
  const own = db.selectFrom('instances').selectAll().where('account_id', '=', accountId).where('network', 'in', networks);
  return own.orderBy('created_at').orderBy('id').execute();
}

/** One instance of the account; undefined when it has none with this id. */
export function oneInstance(db: Db, accountId: string, id: string): Promise<InstanceRow | undefined> {
  return db.selectFrom('instances').selectAll().where('id', '=', id).where('account_id', '=', accountId).executeTakeFirst();
}

export async function updateInstance(db: Db, id: string, change: Partial<InstanceRow>): Promise<void> {
  await db.updateTable('instances').set(change).where('id', '=', id).execute();
}

export function instancesWithProxy(db: Db): Promise<Pick<InstanceRow, 'id' | 'proxy'>[]> {
  return db.selectFrom('instances').select(['id', 'proxy']).where('proxy', 'is not', null).execute();
}

export async function isLinked(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('instances').select('linked').where('id', '=', id).executeTakeFirst();
  return row?.linked === 1;
}

/** Whether another instance of the account is linked with this number, has logged in since, and is not parked. */
export async function isLinkedElsewhere(
  db: Db,
  { id, account_id }: Pick<InstanceRow, 'id' | 'account_id'>,
  phoneNumber: string,
): Promise<boolean> {
  const other = await db
    .selectFrom('instances')
    .select('id')
    .where('account_id', '=', account_id)
    .where('phone_number', '=', phoneNumber)
    .where('linked', '=', 1)
    .where('linked_at', 'is not', null)
    .where('id', '<>', id)
    .where((eb) => eb.or([eb('restriction_reason', 'is', null), eb('restriction_reason', '<>', 'replaced')]))
    .executeTakeFirst();
  return other !== undefined;
}

/** The instance's row, locked until the transaction ends. */
export const lockInstance = (trx: Db, id: string): Promise<InstanceRow | undefined> =>
  trx.selectFrom('instances').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** Marks the instance as no longer linked; undefined when it was not linked. */
export function markUnlinked(trx: Db, id: string): Promise<InstanceRow | undefined> {
  return trx.updateTable('instances').set({ linked: 0 }).where('id', '=', id).where('linked', '=', 1).returningAll().executeTakeFirst();
}

/** Deletes the instance's row, after its credentials; undefined when there is none. */
export async function removeInstance(trx: Db, id: string): Promise<InstanceRow | undefined> {
  await trx.deleteFrom('new_chats').where('instance_id', '=', id).execute();
  return trx.deleteFrom('instances').where('id', '=', id).returningAll().executeTakeFirst();
}

/** How many names are read at once. */
const namesAtOnce = 2_000;

/** The names of the next credential records after this one. */
export async function credentialNames(db: Db, instanceId: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('credentials')
    .select('name')
    .where('instance_id', '=', instanceId)
    .where('name', '>', after)
    .orderBy('name')
    .limit(namesAtOnce)
    .execute();
  return rows.map(({ name }) => name);
}

/** The encrypted credential records with these names. */
export function readCredentials(db: Db, instanceId: string, names: readonly string[]): Promise<{ name: string; sealed: Buffer }[]> {
  if (names.length === 0) return Promise.resolve([]);
  return db.selectFrom('credentials').select(['name', 'sealed']).where('instance_id', '=', instanceId).where('name', 'in', names).execute();
}

/** Some number's record; undefined when there is none. */
export function anyCredential(db: Db): Promise<{ instance_id: string; name: string; sealed: Buffer } | undefined> {
  return db.selectFrom('credentials').select(['instance_id', 'name', 'sealed']).limit(sql.lit(1)).executeTakeFirst();
}

/** The encrypted messages that are kept under these ids. */
export function readSent(db: Db, instanceId: string, messageIds: readonly string[]): Promise<{ name: string; sealed: Buffer }[]> {
  return db
    .selectFrom('sent_messages')
    .select(['message_id as name', 'sealed'])
    .where('instance_id', '=', instanceId)
    .where('message_id', 'in', messageIds)
    .execute();
}

/** Deletes the instance's credential records and its kept messages, which cannot be sent again without them. */
export async function removeCredentials(trx: Db, instanceId: string): Promise<void> {
  await trx.deleteFrom('sent_messages').where('instance_id', '=', instanceId).execute();
  await trx.deleteFrom('credentials').where('instance_id', '=', instanceId).execute();
}
