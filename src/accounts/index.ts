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
export { changesBetween } from './audit/changes.ts';
export { type AuditEntry, listAudit } from './audit/list.ts';
export { recordAudit } from './audit/record.ts';
export { createKey, createPassingKey, listKeys, revokeKey } from './keys.ts';
export { countNumberDay, numberDayDebt } from './number-days.ts';
export * from './overview/index.ts';
export { createPlan, listPlans, type NewPlan, updatePlan } from './plans.ts';
export { createProvider, listProviders, type ProviderChanges, updateProvider } from './providers.ts';
export { type AccountSummary, type KeySummary, lockAccount } from './queries.ts';
export { findNumber, findRequest, listNumbers, listSends } from './support-questions.ts';
export { refuseSuspended, suspendedByOperator } from './suspension.ts';
export { bounds, checkLabel, checkName, checkPlanName } from './terms.ts';
export { everUsed, type UsageDay, usage, usageDays } from './usage.ts';
export * from './users/index.ts';
