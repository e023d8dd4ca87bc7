export { dropOverflow, gatherMessages } from './gather.ts';
export { MessageEvents } from './message-events.ts';
export { type EventName, eventNames, isEventName, namesIn, storedNames } from './names.ts';
export { deleteUntold, forgetUntold } from './queries.ts';
