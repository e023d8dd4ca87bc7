export { findRequest, findRequestOf, requestsBeginning } from './find.ts';
export { type ActivityFilter, isSend, lastFailures, listActivity, listSends, type SendRecord } from './list.ts';
export { requestView } from './view.ts';
