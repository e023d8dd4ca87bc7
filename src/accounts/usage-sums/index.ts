export { keepUsageSums } from './keeper.ts';
export { makeSums } from './make.ts';
export { monthsOf } from './months.ts';
export { readUsage } from './read.ts';
export { Tally, type Used } from './used.ts';
