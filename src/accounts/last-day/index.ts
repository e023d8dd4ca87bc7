export { accountsOfLastDay, lastDay } from './last-day.ts';
