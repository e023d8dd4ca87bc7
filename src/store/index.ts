export { createClientVersions } from './client-versions.ts';
export type * from './hot-path.ts';
export { type Balance, holdLease, type Lease, type Leased, type Leases } from './leases.ts';
export { readSegment } from './log-records.ts';
export { readRequest, readSegments } from './request-log.ts';
export { settlementDebtName } from './retention.ts';
export type * from './schema.ts';
export { releaseOnce, settleOnce } from './settle-once.ts';
export type { Dialect, OpenOptions, Store } from './store.ts';
