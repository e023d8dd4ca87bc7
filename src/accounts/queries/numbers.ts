import { countRows, type Db, type InstanceRow } from '../../store/index.ts';

export const insertInstance = (db: Db, row: InstanceRow) => db.insertInto('instances').values(row).execute();

export const countAccountNumbers = (db: Db, accountId: string): Promise<number> =>
  countRows(db.selectFrom('instances').where('account_id', '=', accountId));

export const countProviderNumbers = (db: Db, providerId: string): Promise<number> =>
  countRows(
    db.selectFrom('instances').innerJoin('accounts', 'accounts.id', 'instances.account_id').where('accounts.provider_id', '=', providerId),
  );

export const isNetworkUsed = async (db: Db, network: string): Promise<boolean> =>
  (await db.selectFrom('instances').select('id').where('network', '=', network).limit(1).executeTakeFirst()) !== undefined;

export const selectInstances = (db: Db, accountId: string): Promise<InstanceRow[]> =>
  db.selectFrom('instances').selectAll().where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute();

export const selectInstance = (db: Db, id: string): Promise<InstanceRow | undefined> =>
  db.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirst();
