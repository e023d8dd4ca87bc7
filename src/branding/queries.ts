import type { Insertable, Selectable } from 'kysely';
import type { Database, Db } from '../store/index.ts';

export type BrandRow = Selectable<Database['brands']>;

export const selectBrand = (db: Db, providerId: string): Promise<BrandRow | undefined> =>
  db.selectFrom('brands').selectAll().where('provider_id', '=', providerId).executeTakeFirst();

/** The brands whose address an operator has confirmed. */
export const selectAddressedBrands = (db: Db): Promise<BrandRow[]> =>
  db.selectFrom('brands').selectAll().where('base_confirmed_at', 'is not', null).execute();

export async function upsertBrand(db: Db, row: Insertable<Database['brands']>): Promise<void> {
  const { provider_id, ...columns } = row;
  await db
    .insertInto('brands')
    .values(row)
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet(columns))
    .execute();
}

export async function upsertLogo(db: Db, row: Insertable<Database['brand_logos']>): Promise<void> {
  await db
    .insertInto('brand_logos')
    .values(row)
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet({ digest: row.digest, png: row.png }))
    .execute();
}

export async function deleteLogo(db: Db, providerId: string): Promise<void> {
  await db.deleteFrom('brand_logos').where('provider_id', '=', providerId).execute();
}

export const selectLogo = (db: Db, digest: string): Promise<{ png: Buffer } | undefined> =>
  db.selectFrom('brand_logos').select('png').where('digest', '=', digest).limit(1).executeTakeFirst();

/** The providers at which a person has any role, directly or through an account. */
export async function selectProvidersOf(db: Db, userId: string): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('memberships')
    .leftJoin('accounts', 'accounts.id', 'memberships.account_id')
    .select((eb) => eb.fn.coalesce('accounts.provider_id', 'memberships.provider_id').as('provider_id'))
    .where('memberships.user_id', '=', userId)
    .distinct()
    .execute();
  return rows.map(({ provider_id }) => provider_id);
}
