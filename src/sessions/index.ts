export { budgetBounds, type ChatBudget, storedBudget } from './chat-budget/budget.ts';
export { setChatBudget } from './chat-budget/set-budget.ts';
export { opensCredentials } from './credential-check.ts';
export { type Standing, standingOf, storedStanding } from './history/standing.ts';
export { type HistoryEntry, numberStory } from './history/told-history.ts';
export { stateOf } from './instance-news.ts';
export type { Status } from './link-state.ts';
export type { InstanceState, LiveEvent } from './live-events.ts';
export { setProxy, storedProxy } from './proxies.ts';
export { resealNumbers } from './reseal.ts';
export { keepsAway, restrictionReasons } from './restriction.ts';
export { Session } from './session.ts';
export type { SessionEvents } from './session-events.ts';
export { Sessions } from './sessions.ts';
export {
  chatBudgetView,
  historyView,
  newChatsView,
  numberDetail,
  numberView,
  restrictionView,
  type ShownNumber,
  storedNumber,
} from './view.ts';
