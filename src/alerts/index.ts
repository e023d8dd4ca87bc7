export { Alerts } from './alerts.ts';
export { type AlertBody, mailOf } from './body.ts';
export {
  type Condition,
  conditionNames,
  conditions,
  type EventName,
  eventNames,
  isCondition,
  isEventName,
} from './conditions/conditions.ts';
export { Measuring } from './conditions/measuring.ts';
export { listProblems, problemsShown } from './conditions/problems.ts';
export { clientVersionWatch, diskWatch, ErrorRate, MailWatch, pendingWritesWatch } from './conditions/watches.ts';
export { deliveriesShown, findDelivery, lastDeliveries, listDeliveries, resendDelivery, testTarget } from './deliveries/deliveries.ts';
export { failingTargets } from './deliveries/queries.ts';
export { MessageEvents } from './message-events/message-events.ts';
export { mailOwners } from './owners.ts';
export { confirmationOf, confirmTarget, isConfirmation } from './targets/confirmation.ts';
export { type QuietHours, readQuietHours, timeOfDay } from './targets/quiet-hours.ts';
export { sealedOfTargets } from './targets/secrets.ts';
export {
  createTarget,
  listTargets,
  removeTarget,
  replaceSecret,
  type Target,
  updateTarget,
} from './targets/targets.ts';
export { sentence } from './texts.ts';
export { eventTexts, webhookDocs } from './webhooks.ts';
