export { Arrears } from './arrears.ts';
export { checkBody, checkNumbers } from './check-numbers.ts';
export { createSender, type Sender } from './send.ts';
