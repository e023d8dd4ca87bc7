import type { Translate } from '../../language/index.ts';
import type { Store } from '../../store/index.ts';
import { alertOf } from '../body.ts';
import { anyTarget, type TargetsWithin } from '../targets/queries.ts';
import { selectProblems } from './queries.ts';

/** How many problems one page has at most. */
export const problemsShown = 50;

/**
 * Problems of an account, of the accounts of providers or everywhere: those that last, or those of the last 90 days that are over; newest first,
 * `before`: those that began before this one. null: nobody is to be notified of anything, so nothing is looked for.
 */
export async function listProblems(
  { db }: Store,
  within: TargetsWithin,
  page: { readonly ended: boolean; readonly before: string | undefined },
  t: Translate,
) {
  if (!(await anyTarget(db))) return null;
  const rows = await selectProblems(db, within, { ...page, most: problemsShown });
  return rows.map((row) => ({ ...alertOf({ ...row, phase: 'began', noticed_at: row.began_at }, t), ended_at: row.ended_at }));
}
