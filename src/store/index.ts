export type * from './hot-path.ts';
export { readSegment } from './log-records.ts';
export { readRequest, readSegments } from './request-log.ts';
export type * from './schema.ts';
export type { Dialect, Store } from './store.ts';
