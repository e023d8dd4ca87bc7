export { type AccountChanges, createAccount, listAccounts, showAccount, updateAccount } from './accounts.ts';
export { addInstance } from './add-instance.ts';
export { admitted, termsOf } from './admitted.ts';
export { allowance } from './allowance.ts';
export type { Act, Actor } from './audit/act.ts';
export { type AuditDetails, changesBetween } from './audit/changes.ts';
export { type AuditEntry, type AuditFilter, findAudit, listAudit } from './audit/list.ts';
export { auditSorts } from './audit/queries.ts';
export { type AuditAction, auditActions, recordAudit } from './audit/record.ts';
export { type CheckedRow, checkAccountTable, type ImportedRow, importAccount } from './customers/import.ts';
export { importTemplate, mostImportBytes } from './customers/import-table.ts';
export { installationDefault, requireDefaultPlan, setDefaultPlan } from './default-plan.ts';
export { formerOf, keepFormer } from './former/former.ts';
export { createKey, createPassingKey, keyActors, listKeys, revokeKey } from './keys.ts';
export { accountsOfLastDay, lastDay } from './last-day/last-day.ts';
export { accountSorts, accountStates, endsSoonMs, selectAccountPage, selectAccountsOf, trialNearlyUsed } from './lists/accounts/queries.ts';
export {
  type InvitationSummary,
  invitationSorts,
  selectAnyInvitation,
  selectInvitationPage,
  selectInvitationsOf,
} from './lists/invitations/queries.ts';
export { keySorts, selectKeyPage } from './lists/keys/queries.ts';
export type { KeyType, Links, ListPage, ListRequest, Mark } from './lists/list.ts';
export { everyNumber } from './lists/numbers/every.ts';
export { type NumberFilter, type NumberSummary, numberSorts, selectNumberPage, selectNumbers } from './lists/numbers/queries.ts';
export { peopleSorts, selectPeople, selectPeoplePage, type UserWithRoles } from './lists/people/queries.ts';
export { type ProviderSummary, providerSorts, selectProviderPage, selectProviderSummaries } from './lists/providers/queries.ts';
export { createCustomer } from './new-customer.ts';
export { type AccountNote, checkNote, noteOf, writeNote } from './notes.ts';
export { countStandings, findAccount, rolesOfUser } from './overview/overview.ts';
export { createPlan, listPlans, type NewPlan, updatePlan } from './plans.ts';
export { createProvider, existingProvider, listProviders, type ProviderChanges, updateProvider } from './providers.ts';
export { type AccountSummary, type KeySummary, lockAccount, selectKeysOf } from './queries.ts';
export type { SearchReach } from './search/queries.ts';
export { type SearchResult, search } from './search/search.ts';
export { findNumber, findRequest, listNumbers, listSends } from './support-questions.ts';
export { refuseSuspended, suspendedByOperator } from './suspension.ts';
export { bounds, checkLabel, checkName, checkPlanName, checkReference } from './terms.ts';
export { type AccountUsage, inOrder, usageOfAccounts, usageOrders } from './usage/accounts.ts';
export { everUsed, type UsageDay, usage, usageDays } from './usage/days.ts';
export { monthsOf } from './usage/months.ts';
export { countNumberDay, numberDayWrite } from './usage/number-days.ts';
export { addUp, type Used, usedView } from './usage/used.ts';
export { type Factor, FailedSignIns } from './users/failed-sign-ins.ts';
export { Conflict, unknownUser } from './users/failures.ts';
export { invitationFate } from './users/invitation-fate.ts';
export { chooseLanguage, languageAt, languageOf } from './users/language.ts';
export { invitationMail, type MailText, passwordResetMail } from './users/mail-texts.ts';
export { administered, isWithin, refuseSuspendedInvitation } from './users/makers.ts';
export { type ActingFor, actingAccount, membershipsOf, ownAccounts, type Place, placeOf, type Role } from './users/memberships.ts';
export {
  checkEmail,
  firstOperatorLink,
  invite,
  linkExpired,
  type NewLink,
  openInvitation,
  passwordResetLink,
  usableLink,
  withdrawInvitation,
} from './users/one-time-links.ts';
export {
  countSessions,
  endOtherSessions,
  giveLinkBack,
  noteSeen,
  operatorExists,
  selectAdmins,
  selectMember,
  selectMembers,
  selectUser,
  selectUserByEmail,
  takeLink,
  type UserRow,
} from './users/queries.ts';
export { changeRole, join, removeRole, removeUser } from './users/roles.ts';
export { endTwoFactor, recordOwnChange, recordSignIn } from './users/secrets.ts';
