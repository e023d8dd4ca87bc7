export { checkBody, checkNumbers, numberCheck } from './check-numbers.ts';
export { fingerprint } from './claim.ts';
export { releaseWrite, settlementWrite } from './pending-sends.ts';
export { createSender, type Sender } from './send.ts';
export { type SendResult, sendResultOf } from './send-request.ts';
