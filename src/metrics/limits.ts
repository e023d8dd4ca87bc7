import { Counter, Gauge, type Registry } from 'prom-client';
import type { RateLimiter } from '../coordination/index.ts';

/** A limiter that all servers share, and that may have to do without the others. */
interface Shared extends RateLimiter {
  readonly fallenBack: boolean;
  onChange(listener: (fallenBack: boolean) => void): () => void;
}

export interface WatchedLimits {
  /** The same limiter, whose refusals are counted. */
  limited(limiter: RateLimiter): RateLimiter;
  /** Counts how often the limiter has to do without Redis. */
  watchShared(limiter: Shared): void;
}

export function countLimits(registry: Registry): WatchedLimits {
  const registers = [registry];
  const refusals = new Counter({ name: 'gateway_rate_limit_refusals_total', help: 'Requests that a rate limit refused.', registers });
  const fallbacks = new Counter({
    name: 'gateway_rate_limit_fallbacks_total',
    help: 'Times that Redis went down and this server counted its share of the limits on its own.',
    registers,
  });
  return {
    limited(limiter) {
      const count = <Decision extends { readonly admitted: boolean }>(decision: Decision): Decision => {
        if (!decision.admitted) refusals.inc();
        return decision;
      };
      return {
        take(name, limit) {
          const decision = limiter.take(name, limit);
          return decision instanceof Promise ? decision.then(count) : count(decision);
        },
      };
    },
    watchShared(limiter) {
      limiter.onChange((fallenBack) => {
        if (fallenBack) fallbacks.inc();
      });
      new Gauge({
        name: 'gateway_rate_limit_fallen_back',
        help: '1 while this server counts rate limits on its own, because Redis is down.',
        registers,
        collect() {
          this.set(limiter.fallenBack ? 1 : 0);
        },
      });
    },
  };
}
