export type * from './hot-path.ts';
export { readRequest, readSegment, readSegments } from './request-log.ts';
export type * from './schema.ts';
export type { Dialect, Store } from './store.ts';
