export type { Status } from './link-keeper.ts';
export type { InstanceState, LiveEvent } from './live-events.ts';
export { restrictionReasons, storedRestriction } from './restriction.ts';
export { Session } from './session.ts';
export { Sessions } from './sessions.ts';
