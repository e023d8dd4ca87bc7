import { sql } from 'kysely';
import type { AlertTargetRow } from '../../store/index.ts';
import type { Db } from '../queries.ts';
import type { TargetsWithin } from '../target-queries.ts';

/** More targets that fail at once are not told. */
const mostFailing = 100;

/** A target whose deliveries fail, and since when. */
export interface FailingTarget extends Pick<AlertTargetRow, 'id' | 'kind' | 'address'> {
  /** When the delivery was made that did not arrive. */
  readonly at: number;
  /** What the last attempt came to, in words. */
  readonly outcome: string | null;
}

/** Targets of which a delivery is tried again, or of which the last one that is done was given up; oldest first. */
export function failingTargets(db: Db, within: TargetsWithin): Promise<FailingTarget[]> {
  // The oldest that waits is the one that is tried; a second attempt says that the first one failed.
  const tried = sql<string>`(select d.id from alert_deliveries d where d.target_id = alert_targets.id and d.state = 'waiting' and d.attempts > 1
    order by d.position, d.id limit 1)`;
  const done = sql<string>`(select d.id from alert_deliveries d where d.target_id = alert_targets.id and d.state <> 'waiting'
    order by d.position desc, d.id desc limit 1)`;
  let query = db
    .selectFrom('alert_targets')
    .innerJoin('alert_deliveries', (join) => join.on('alert_deliveries.id', '=', sql<string>`coalesce(${tried}, ${done})`))
    .select(['alert_targets.id', 'alert_targets.kind', 'alert_targets.address', 'alert_deliveries.at', 'alert_deliveries.outcome'])
    .where('alert_deliveries.state', '<>', 'delivered');
  if ('accountId' in within) query = query.where('alert_targets.account_id', '=', within.accountId);
  else {
    query = query.where('alert_targets.account_id', 'is', null);
    if (within.providerIds !== null) query = query.where('alert_targets.provider_id', 'in', within.providerIds);
  }
  return query.orderBy('alert_targets.id').limit(mostFailing).execute();
}
