export { stateOf } from './instance-news.ts';
export type { Status } from './link-state.ts';
export type { InstanceState, LiveEvent } from './live-events.ts';
export { storedNewChats } from './new-chats.ts';
export { setProxy, storedProxy } from './proxies.ts';
export { keepsAway, restrictionReasons, storedRestriction } from './restriction.ts';
export { Session } from './session.ts';
export type { SessionEvents } from './session-events.ts';
export { Sessions } from './sessions.ts';
