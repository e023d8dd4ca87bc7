export { type Bus, createBus, type Topic } from './bus.ts';
export { CallError, type Calls, type Handler, handler, type Method, NotUnderstood, type Served } from './calls.ts';
export { openCalls } from './open-calls.ts';
export type { RateDecision, RateLimiter } from './rate-limiter.ts';
export { TextTooLarge, type Wire } from './wire.ts';
