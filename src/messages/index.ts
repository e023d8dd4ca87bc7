export { Arrears } from './arrears.ts';
export { checkBody, checkNumbers } from './check-numbers.ts';
export { createSender, type Sender } from './send.ts';
export { type StageMarks, sinceStart, stagesOf } from './stages.ts';
