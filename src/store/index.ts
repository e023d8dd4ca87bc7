export { openAgeTime } from './age-time.ts';
export { backUp, restore } from './backup.ts';
export { createClientVersions } from './client-versions.ts';
export { clockDifference, requireRightClock, toleratedClockMs, watchClock } from './clock-difference.ts';
export type * from './hot-path.ts';
export { claimMs } from './judge.ts';
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
export { schemaChanges } from './migrate.ts';
export type { MoveProgress } from './move/move.ts';
export { moveToPostgres } from './move.ts';
export { openStore } from './open-store.ts';
export { requestRecord } from './request-rows.ts';
export { settlementWriteName } from './retention.ts';
export type * from './schema.ts';
export { releaseOnce, settleOnce } from './settle-once.ts';
export { sharedNow } from './shared-time.ts';
export type { Dialect, OpenOptions, SchemaChanges, Store } from './store.ts';
export { addNumberDay, addSends, monthOf } from './usage.ts';
