import { StoreUnavailable } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { type Finding, fail, ok, reason } from './check.ts';

/** Whether the store can be written: one small write, unless it is known already that it would not last. */
export async function writing({ writability }: Store): Promise<Finding> {
  try {
    if (writability.trouble !== null) throw writability.trouble;
    await writability.tryWrite();
    return ok('writing', 'a write to the database succeeded');
  } catch (error) {
    const mend = 'until this is fixed, sends are refused before they are handed over';
    if (error instanceof StoreUnavailable) return fail('writing', error.message, mend);
    return fail('writing', `the database cannot be written: ${reason(error)}`, mend);
  }
}
