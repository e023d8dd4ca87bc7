export type * from './account.ts';
export type * from './live.ts';
export type * from './operator.ts';
export type * from './sandbox.ts';
export type * from './sending.ts';
export type * from './session.ts';
