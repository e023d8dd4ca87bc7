export type * from './hot-path.ts';
export { readRequest, readSegment } from './request-log.ts';
export type * from './schema.ts';
export type { Dialect, Store } from './store.ts';
