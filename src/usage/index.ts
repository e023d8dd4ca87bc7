export { type AccountUsage, inOrder, usageOfAccounts, usageOrders } from './accounts.ts';
export { everUsed, type UsageDay, usage, usageDays } from './days.ts';
export { accountsOfLastDay, lastDay, sendsOfLastDay } from './last-day.ts';
export { monthsOf } from './months.ts';
export { countNumberDay, numberDayWrite } from './number-days.ts';
export { addUp, type Used, usedView } from './read.ts';
