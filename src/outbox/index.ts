export { defineWriteKind, Outbox, type WriteKind } from './outbox.ts';
export { type PendingWrites, sumOfPendingWrites } from './queries.ts';
