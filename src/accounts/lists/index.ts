export {
  accountSorts,
  accountStates,
  endsSoonMs,
  selectAccountPage,
  selectAccountsOf,
  trialNearlyUsed,
} from './accounts/queries.ts';
export {
  type InvitationSummary,
  invitationSorts,
  selectAnyInvitation,
  selectInvitationPage,
  selectInvitationsOf,
} from './invitations/queries.ts';
export { keySorts, selectKeyPage } from './keys/queries.ts';
export type { KeyType, Links, ListPage, ListRequest, Mark } from './list.ts';
export { everyNumber } from './numbers/every.ts';
export {
  type NumberFilter,
  type NumberSummary,
  numberSorts,
  selectNumberPage,
  selectNumbers,
} from './numbers/queries.ts';
export { peopleSorts, selectPeople, selectPeoplePage, type UserWithRoles } from './people/queries.ts';
export { type ProviderSummary, providerSorts, selectProviderPage, selectProviderSummaries } from './providers/queries.ts';
