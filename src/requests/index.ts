export { findRequest, findRequestOf, requestsBeginning } from './find.ts';
export { type ActivityFilter, isSend, lastFailures, listActivity, listSends, type SendRecord } from './list.ts';
export type { Place } from './queries.ts';
export { requestView } from './view.ts';
