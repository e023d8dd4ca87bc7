import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';

type Db = Kysely<Database>;

interface Measure {
  readonly condition: string;
  readonly subject: string;
  readonly reason: string | null;
  readonly at: number;
}

/** Notes that a condition holds for its subject, as it was measured at `at`. */
export async function noteMeasure(db: Db, measure: Measure): Promise<void> {
  await db
    .insertInto('alert_measures')
    .values(measure)
    .onConflict((conflict) => conflict.columns(['condition', 'subject']).doUpdateSet({ reason: measure.reason, at: measure.at }))
    .execute();
}

export async function forgetMeasure(db: Db, { condition, subject }: Pick<Measure, 'condition' | 'subject'>): Promise<void> {
  await db.deleteFrom('alert_measures').where('condition', '=', condition).where('subject', '=', subject).execute();
}

/** Measures taken after `from` and not after `to`. */
export function measuresBetween(db: Db, from: number, to: number): Promise<Measure[]> {
  return db.selectFrom('alert_measures').selectAll().where('at', '>', from).where('at', '<=', to).execute();
}

export async function forgetMeasuresBefore(db: Db, before: number): Promise<void> {
  await db.deleteFrom('alert_measures').where('at', '<', before).execute();
}
