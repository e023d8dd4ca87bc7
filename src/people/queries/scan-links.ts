import type { Insertable } from 'kysely';
import type { Database, Db } from '../../store/index.ts';

export async function insertScanLink(db: Db, row: Insertable<Database['scan_links']>): Promise<void> {
  await db.insertInto('scan_links').values(row).execute();
}

/** The link of a token, with the number it is for, whose account, and the maker's address; null where they are gone. */
export const selectScanLink = (db: Db, tokenHash: string) =>
  db
    .selectFrom('scan_links')
    .leftJoin('instances', 'instances.id', 'scan_links.instance_id')
    .leftJoin('accounts', 'accounts.id', 'instances.account_id')
    .leftJoin('users', 'users.id', 'scan_links.maker_id')
    .select(['scan_links.id', 'instance_id', 'maker_id', 'expires_at', 'used_at', 'label', 'network', 'instances.account_id'])
    .select(['accounts.name as account_name', 'accounts.provider_id', 'users.email as maker_email'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();

/** The links of a number that can still be used. */
export const selectUsableScanLinks = (db: Db, instanceId: string, now: number) =>
  db
    .selectFrom('scan_links')
    .leftJoin('users', 'users.id', 'scan_links.maker_id')
    .select(['scan_links.id', 'maker_id', 'users.email as maker_email'])
    .where('instance_id', '=', instanceId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();

export async function takeScanLink(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('scan_links').set({ used_at: now }).where('id', '=', id).execute();
}

export async function deleteUnusedScanLinks(db: Db, instanceId: string): Promise<void> {
  await db.deleteFrom('scan_links').where('instance_id', '=', instanceId).where('used_at', 'is', null).execute();
}
