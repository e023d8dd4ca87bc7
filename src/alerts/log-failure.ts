import { type Log, StoreUnavailable } from '../core/index.ts';

/** Says in the log that a step failed; a store that is down is reported elsewhere. */
export function logFailure(log: Pick<Log, 'error'>, error: unknown): void {
  if (!(error instanceof StoreUnavailable)) log.error({ err: error }, 'alerts could not be processed');
}
