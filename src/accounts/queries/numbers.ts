import type { Db, InstanceRow } from '../../store/index.ts';

// A count is a bigint, which PostgreSQL's driver hands over as text.
const counted = (row: { n: unknown } | undefined): number => Number(row?.n ?? 0);

export const insertInstance = (db: Db, row: InstanceRow) => db.insertInto('instances').values(row).execute();

export const countAccountNumbers = async (db: Db, accountId: string): Promise<number> =>
  counted(
    await db
      .selectFrom('instances')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('account_id', '=', accountId)
      .executeTakeFirst(),
  );

/** Numbers of all accounts of a provider. */
export const countProviderNumbers = async (db: Db, providerId: string): Promise<number> =>
  counted(
    await db
      .selectFrom('instances')
      .innerJoin('accounts', 'accounts.id', 'instances.account_id')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('accounts.provider_id', '=', providerId)
      .executeTakeFirst(),
  );

/** Whether any number is of this network. */
export const isNetworkUsed = async (db: Db, network: string): Promise<boolean> =>
  (await db.selectFrom('instances').select('id').where('network', '=', network).limit(1).executeTakeFirst()) !== undefined;

export const selectInstances = (db: Db, accountId: string): Promise<InstanceRow[]> =>
  db.selectFrom('instances').selectAll().where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute();

export const selectInstance = (db: Db, id: string): Promise<InstanceRow | undefined> =>
  db.selectFrom('instances').selectAll().where('id', '=', id).executeTakeFirst();
