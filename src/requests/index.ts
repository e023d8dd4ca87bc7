export { findRecord, findRequest, findRequestOf, requestsBeginning } from './find.ts';
export { type ActivityFilter, isSend, listActivity, listSends, type SendRecord } from './list.ts';
