export type { Status } from './link-state.ts';
export type { InstanceState, LiveEvent } from './live-events.ts';
export { restrictionReasons, storedRestriction } from './restriction.ts';
export { Session } from './session.ts';
export { Sessions } from './sessions.ts';
