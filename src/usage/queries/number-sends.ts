import type { Db, NumberSends } from '../../store/index.ts';

/** What was sent from a number of the account, by day. */
export function selectNumberSends(
  db: Db,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  since: number,
): Promise<Pick<NumberSends, 'day' | 'accepted' | 'refused' | 'failed'>[]> {
  return db
    .selectFrom('number_sends')
    .select(['day', 'accepted', 'refused', 'failed'])
    .where('instance_id', '=', id)
    .where('account_id', '=', accountId)
    .where('day', '>=', since)
    .execute();
}

/** When each of these numbers last sent something within 30 days, by id; those that sent nothing are absent. */
export async function selectLastSends(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('number_sends')
    .innerJoin('instances', (join) =>
      join.onRef('instances.id', '=', 'number_sends.instance_id').onRef('instances.account_id', '=', 'number_sends.account_id'),
    )
    .select((eb) => ['instance_id', eb.fn.max<number>('last_at').as('at')])
    .where('instance_id', 'in', ids)
    .where('last_at', '>', 0)
    .groupBy('instance_id')
    .execute();
  return new Map(rows.map(({ instance_id, at }) => [instance_id, at]));
}
