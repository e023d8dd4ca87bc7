export { checkBody, checkNumbers } from './check-numbers.ts';
export { releaseDebt, settlementDebt } from './owed-sends.ts';
export { createSender, type Sender } from './send.ts';
export { type StageMarks, sinceStart, stagesOf } from './stages.ts';
