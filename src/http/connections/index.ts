export { Connections } from './connections.ts';
export { type ConnectionLimits, connectionLimitsFor } from './limits.ts';
