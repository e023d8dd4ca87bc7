export { openAgeTime, sharedNow } from './age-time.ts';
export { createClientVersions } from './client-versions.ts';
export { clockDifference, requireRightClock, toleratedClockMs, watchClock } from './clock-difference.ts';
export { backUp, moveToPostgres, restore } from './embedded-data.ts';
export { existingAccount, existingProvider, isTaken, selectProviderOf, unknownAccount, unknownProvider } from './existing.ts';
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
export { readMeta, writeMeta } from './meta.ts';
export { schemaChanges } from './migrate.ts';
export type { MoveProgress } from './move/move.ts';
export { nameStarts } from './name-starts.ts';
export { openStore } from './open-store.ts';
export {
  countRows,
  type Filter,
  inList,
  inOrder,
  type KeyType,
  type ListPage,
  type ListRequest,
  like,
  type Mark,
  never,
  type SortKey,
  type Sorts,
  selectMarks,
  selectPage,
} from './pages.ts';
export { requestRecord } from './request-log.ts';
export { reseal, type SealedColumn } from './reseal.ts';
export type * from './schema.ts';
export { releaseOnce, settlementWriteName, settleOnce } from './send-ends.ts';
export { type Db, type Dialect, dialectOf, type OpenOptions, type SchemaChanges, type Store } from './store.ts';
export { addNumberDay, addSends, monthOf } from './usage.ts';
