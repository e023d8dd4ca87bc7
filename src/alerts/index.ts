export { Alerts } from './alerts.ts';
export type { AlertBody } from './body.ts';
export { type Condition, conditionNames, conditions, isCondition } from './conditions.ts';
export { deliveriesShown, lastDeliveries, listDeliveries, resendDelivery, testTarget } from './deliveries/deliveries.ts';
export { failingTargets } from './failing/queries.ts';
export { ErrorRate } from './machine/error-rate.ts';
export { MailWatch } from './machine/mail-watch.ts';
export { Measuring } from './machine/measuring.ts';
export { clientVersionWatch, diskWatch, pendingWritesWatch } from './machine/watches.ts';
export { confirmationOf, confirmTarget, isConfirmation } from './mails/confirmation.ts';
export { MessageEvents } from './message-events/message-events.ts';
export { type EventName, eventNames, isEventName } from './message-events/names.ts';
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
