export { countStandings, findAccount, findInvitations, rolesOfUser, summariseProviders } from './overview.ts';
export type { InvitationSummary, ProviderSummary } from './queries.ts';
