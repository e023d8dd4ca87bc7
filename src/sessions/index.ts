export { budgetBounds, type ChatBudget, storedBudget } from './chat-budget/budget.ts';
export { setChatBudget } from './chat-budget/chat-budgets.ts';
export type { Status } from './connection-state.ts';
export { credentialContext, opensCredentials } from './credentials.ts';
export { type Standing, standingOf, storedStanding } from './history/standing.ts';
export { causeOf, numberReasons } from './history/state.ts';
export { type HistoryEntry, numberStory } from './history/story.ts';
export { type InstanceState, type LiveEvent, stateOf } from './live-events.ts';
export { keepsAway } from './network-limits.ts';
export { setProxy, storedProxy } from './proxies.ts';
export { sealedOfNumbers } from './reseal.ts';
export type { Session } from './session.ts';
export type { SessionEvents } from './session-parts.ts';
export { Sessions } from './sessions.ts';
export { UnservedNumber } from './unserved.ts';
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
