export { ErrorRate } from './error-rate.ts';
export { MailWatch } from './mail-watch.ts';
export { Measuring, serverUp } from './measuring.ts';
export { measuresBetween } from './queries.ts';
export { clientVersionWatch, debtsWatch, diskWatch } from './watches.ts';
