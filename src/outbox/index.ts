export { defineWriteKind, Outbox, type WriteKind } from './outbox.ts';
export { sumOfPendingWrites } from './queries.ts';
