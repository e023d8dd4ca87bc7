export { backUp, restore } from './backup.ts';
export { createClientVersions } from './client-versions.ts';
export { clockDifference, requireRightClock, toleratedClockMs, watchClock } from './clock-difference.ts';
export type * from './hot-path.ts';
export { claimMs } from './hot-statements.ts';
export {
  type Agreement,
  type Balance,
  checkLease,
  holdLease,
  JoinRefused,
  type Lease,
  type Leased,
  type Leases,
  type NodeRecord,
} from './leases.ts';
export { readSegment } from './log-records.ts';
export { type SchemaChanges, schemaChanges } from './migrate.ts';
export { type MoveProgress, moveToPostgres } from './move.ts';
export { readRequest, readSegments, requestsBeginning } from './request-log.ts';
export type { RequestName } from './request-names/names.ts';
export type { SendOutcome } from './request-names/note.ts';
export { withNewestOutcomes } from './request-names/outcomes.ts';
export { settlementDebtName } from './retention.ts';
export type * from './schema.ts';
export { releaseOnce, settleOnce } from './settle-once.ts';
export { sharedNow } from './shared-time.ts';
export type { Dialect, OpenOptions, Store } from './store.ts';
export { keepSumsForOneself, monthOf, SummedDays, takeBackSum } from './summed-days.ts';
