export { Connections } from './connections.ts';
export { type ConnectionLimits, connectionLimitsFor } from './limits.ts';
export { networkOf } from './origin.ts';
