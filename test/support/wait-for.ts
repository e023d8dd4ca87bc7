import { vi } from 'vitest';

/** How long something may take to come about before it counts as missing, and how often is looked. */
const limits = { timeout: 10_000, interval: 20 };

/** Resolves with what the check returns once it does not throw; rejects with its last error after 10 s, or after `timeout` where less time is the subject. */
export function waitFor<T>(check: () => T | Promise<T>, { timeout = limits.timeout }: { readonly timeout?: number } = {}): Promise<T> {
  return vi.waitFor(check, { ...limits, timeout });
}
