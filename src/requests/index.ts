export { findRecord, findRequestOf, requestsBeginning } from './find.ts';
export { type ActivityFilter, isSend, listActivity, type SendRecord } from './list.ts';
