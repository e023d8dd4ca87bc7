export {
  countStandings,
  findAccount,
  findAccounts,
  findInvitations,
  findNumbers,
  findUsers,
  rolesOfUser,
  summariseProviders,
  type UserWithRoles,
} from './overview.ts';
export type { InvitationSummary, NumberSummary, ProviderSummary } from './queries.ts';
