export type { RateDecision, RateLimiter } from './rate-limiter.ts';
