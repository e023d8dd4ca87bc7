import type { Clock } from '../../core/index.ts';
import { badSessionCode, type Closing, type Reaction, reactionTo } from './closing.ts';

interface BadSessions {
  /** How many times in a row the network called the session unusable. */
  readonly count: number;
  /** When it first did; epoch milliseconds. */
  readonly since: number;
}

/** What an instance's failed logins have in common: a link sees only its own. */
export class LoginHistory {
  readonly #clock: Clock;
  readonly #badSessions = new Map<string, BadSessions>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What this end of a connection means, in the light of those before. */
  closed(instanceId: string, closing: Closing, pairing: boolean): Reaction {
    const now = this.#clock.now();
    const before = this.#badSessions.get(instanceId) ?? { count: 0, since: now };
    // Trouble on the way says nothing of the session.
    const bad = closing.code === badSessionCode ? { ...before, count: before.count + 1 } : before;
    if (bad.count > 0) this.#badSessions.set(instanceId, bad);
    return reactionTo(closing, { now, pairing, badSessions: bad.count, badSince: bad.since });
  }

  /** The instance has logged in, or is not linked any more. */
  forget(instanceId: string): void {
    this.#badSessions.delete(instanceId);
  }
}
