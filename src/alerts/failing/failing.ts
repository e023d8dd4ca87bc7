import type { Store } from '../../store/index.ts';
import type { TargetsWithin } from '../target-queries.ts';
import { type FailingTarget, selectFailingTargets } from './queries.ts';

/** The targets that alerts do not reach at present, as far as their deliveries tell. */
export function failingTargets(store: Store, within: TargetsWithin): Promise<FailingTarget[]> {
  return selectFailingTargets(store.db, within);
}
