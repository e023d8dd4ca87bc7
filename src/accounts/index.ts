export { type AccountChanges, createAccount, listAccounts, showAccount, updateAccount } from './accounts.ts';
export {
  type ActivityFilter,
  findRequestOf,
  isSend,
  listActivity,
  type SendRecord,
} from './activity.ts';
export { addInstance } from './add-instance.ts';
export { admitted, termsOf } from './admitted.ts';
export { allowance } from './allowance.ts';
export type { Act, Actor } from './audit/act.ts';
export { type AuditDetails, changesBetween } from './audit/changes.ts';
export { type AuditEntry, type AuditFilter, findAudit, listAudit } from './audit/list.ts';
export { auditSorts } from './audit/queries.ts';
export { type AuditAction, auditActions, recordAudit } from './audit/record.ts';
export * from './customers/index.ts';
export { installationDefault, requireDefaultPlan, setDefaultPlan } from './default-plan.ts';
export { formerOf, keepFormer } from './former/former.ts';
export { createKey, createPassingKey, keyActors, listKeys, revokeKey } from './keys.ts';
export * from './last-day/index.ts';
export * from './lists/index.ts';
export { createCustomer } from './new-customer.ts';
export { type AccountNote, checkNote, noteOf, writeNote } from './notes.ts';
export * from './overview/index.ts';
export { createPlan, listPlans, type NewPlan, updatePlan } from './plans.ts';
export { createProvider, existingProvider, listProviders, type ProviderChanges, updateProvider } from './providers.ts';
export { type AccountSummary, type KeySummary, lockAccount, selectKeysOf } from './queries.ts';
export { type SearchReach, type SearchResult, search } from './search/index.ts';
export { findNumber, findRequest, listNumbers, listSends } from './support-questions.ts';
export { refuseSuspended, suspendedByOperator } from './suspension.ts';
export { bounds, checkLabel, checkName, checkPlanName, checkReference } from './terms.ts';
export { type AccountUsage, inOrder, usageOfAccounts, usageOrders } from './usage/accounts.ts';
export { everUsed, type UsageDay, usage, usageDays } from './usage/days.ts';
export { monthsOf } from './usage/months.ts';
export { countNumberDay, numberDayDebt } from './usage/number-days.ts';
export { addUp, type Used, usedView } from './usage/used.ts';
export * from './users/index.ts';
