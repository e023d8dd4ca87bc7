export { Alerts } from './alerts.ts';
export { type Condition, conditionNames, conditions, isCondition } from './conditions.ts';
export { type QuietHours, readQuietHours } from './quiet-hours.ts';
export {
  createTarget,
  listDeliveries,
  listTargets,
  removeTarget,
  replaceSecret,
  resealTargets,
  resendDelivery,
  type Target,
  testTarget,
} from './targets.ts';
