export { Connections } from './connections.ts';
export { type ConnectionLimits, connectionLimits } from './limits.ts';
