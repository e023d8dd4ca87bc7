export { Changes } from './changes.ts';
export { type Clock, createDayNames, systemClock, type Timer, utcDay, withTimeout } from './clock.ts';
export { Deadlines } from './deadlines.ts';
export { createVault, type Vault } from './encryption.ts';
export { catalogue, type ErrorCode, GatewayError, OperatorError } from './errors.ts';
export { createRandomSource, hashApiKey, isUuid, newApiKey, newId } from './ids.ts';
export { normalisePhoneNumber } from './phone-number.ts';
export { createSlots, type Slots } from './slots.ts';
export { Turns } from './turns.ts';
