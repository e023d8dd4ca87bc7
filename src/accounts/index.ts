export { type AccountChanges, createAccount, findAccount, showAccount, updateAccount } from './accounts.ts';
export {
  type ActingFor,
  accountTerms,
  actingAccount,
  ownAccounts,
  refuseSuspended,
  refuseSuspendedInvitation,
  suspendedByOperator,
} from './acting.ts';
export { type Allowance, admitted, allowance } from './admitted.ts';
export { keepFormer } from './former.ts';
export { checkAccountTable, createCustomer, type ImportedRow, importAccount } from './import.ts';
export { importTemplate, mostImportBytes } from './import-table.ts';
export { createKey, createPassingKey, keyActors, keyPrefixes, listKeys, revokeKey } from './keys.ts';
export { checkNote, noteOf, writeNote } from './notes.ts';
export { addInstance, addInstanceIn, countStandings, dryRunOfInstances, everyNumber, findNumber, listNumbers } from './numbers.ts';
export {
  createPlan,
  findPlan,
  listPlans,
  type NewPlan,
  requireDefaultPlan,
  setDefaultPlan,
  updatePlan,
} from './plans.ts';
export { createProvider, listProviders, type ProviderChanges, updateProvider } from './providers.ts';
export {
  accountSorts,
  accountStates,
  countNeedingPerson,
  endsSoonMs,
  selectAccountPage,
  selectAccountsOf,
  trialNearlyUsed,
} from './queries/account-list.ts';
export { type AccountSummary, lockAccount, selectAccountIds, selectAccountNames, selectAccounts } from './queries/accounts.ts';
export { demoAccountId, insertDemoAccountId, selectOperatorSteps } from './queries/first-steps.ts';
export { selectFormer } from './queries/former.ts';
export { type KeySummary, keySorts, selectKeyPage, selectKeysOf } from './queries/keys.ts';
export {
  type Connections,
  type NumberFilter,
  type NumberSummary,
  numberSorts,
  selectNumberPage,
  selectNumbers,
  selectReasons,
} from './queries/number-list.ts';
export { isNetworkUsed } from './queries/numbers.ts';
export { selectDefaultPlan } from './queries/plans.ts';
export { lockProvider, type ProviderSummary, providerSorts, selectProviderPage, selectProviderSummaries } from './queries/providers.ts';
export { type SearchResult, search } from './search.ts';
export {
  bounds,
  checkLabel,
  checkName,
  checkPlanName,
  checkReference,
  extended,
  type TermsChange,
  termsAfter,
} from './terms.ts';
export {
  accountView,
  importLineView,
  keyView,
  noteView,
  planChoice,
  planView,
  providerView,
  refusalOf,
  searchView,
} from './views.ts';
