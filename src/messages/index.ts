export { checkBody, checkNumbers, numberCheck } from './check-numbers.ts';
export { releaseDebt, settlementDebt } from './owed-sends.ts';
export { createSender, type Sender, type SendReply } from './send.ts';
export { resultOf, type SendRequest, type SendResult, sendResultOf } from './send-request.ts';
