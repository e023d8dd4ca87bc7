export { type AccountUsage, inOrder, usageOfAccounts, usageOrders } from './accounts.ts';
export { everUsed, type UsageDay, usage, usageDays } from './days.ts';
export { accountsOfLastDay, lastDay, type SendsScope, sendsOfLastDay } from './last-day.ts';
export { monthsOf } from './months.ts';
export { countNumberDay, numberDayWrite } from './number-days.ts';
export { lastSendTimes, numberSends } from './number-sends.ts';
export { accountsOfHour, endsByHour, numbersByDay } from './over-time.ts';
export { addUp, type Used, usedView } from './read.ts';
