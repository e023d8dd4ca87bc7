export { Alerts } from './alerts.ts';
export type { AlertBody } from './body.ts';
export { type Condition, conditionNames, conditions, isCondition } from './conditions.ts';
export { deliveriesShown, lastDeliveries, listDeliveries, resendDelivery, testTarget } from './deliveries/deliveries.ts';
export { failingTargets } from './failing/failing.ts';
export { clientVersionWatch, debtsWatch, diskWatch, ErrorRate, MailWatch, Measuring } from './machine/index.ts';
export { confirmationOf, confirmTarget, isConfirmation } from './mails/confirmation.ts';
export { type EventName, eventNames, isEventName, MessageEvents } from './message-events/index.ts';
export { type QuietHours, readQuietHours, timeOfDay } from './quiet-hours.ts';
export { sentence } from './sentences.ts';
export {
  createTarget,
  listTargets,
  removeTarget,
  replaceSecret,
  resealTargets,
  type Target,
  updateTarget,
} from './targets.ts';
