import { systemClock, withTimeout } from '../../../../core/index.ts';
import type { Restriction, SendOutcome } from '../../../index.ts';
import { createCache } from '../library/bounded-cache.ts';
import type { SendingSocket } from './socket.ts';

/** How long a refused send may wait to be told until when. */
const askMs = 3_000;
/** How long an answer holds. */
const rereadMs = 60_000;
/** How many refused recipients are remembered, and for how long: one of them is enough to notice the end of the block. */
const mostRefused = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

/** The network's block on starting new chats, as sends run into it. */
export class ReachOutBlock {
  readonly #sock: SendingSocket;
  readonly #told: (restriction: Restriction | null) => void;
  #until: Promise<number | null> | null = null;
  /** Recipients (JIDs) for whom a message was refused, the latest of them. */
  readonly #refused = createCache<string>({ limit: mostRefused, lifetimeMs: dayMs });

  constructor(sock: SendingSocket, told: (restriction: Restriction | null) => void) {
    this.#sock = sock;
    this.#told = told;
  }

  /** A message to this recipient was refused with 463. */
  async refused(jid: string): Promise<SendOutcome> {
    this.#refused.set(jid, jid);
    const until = await this.#end();
    this.#told({ reason: 'reach_out_blocked', until });
    return {
      outcome: 'refused',
      reason: 'WhatsApp does not let this number start new chats at present; people who have written to it can be answered.',
      details: { reason: 'reach_out_blocked', until: until === null ? null : new Date(until).toISOString() },
    };
  }

  /** A message to this recipient was taken: when it had been refused before, the block is over. */
  accepted(jid: string): void {
    if (this.#refused.size === 0 || !this.#refused.has(jid)) return;
    this.#refused.clear();
    this.#until = null;
    this.#told(null);
  }

  /** When the block ends, in epoch milliseconds; null when the network does not say. Asked once a minute at most. */
  #end(): Promise<number | null> {
    if (this.#until !== null) return this.#until;
    const asked = this.#sock.fetchAccountReachoutTimelock().then(({ isActive, timeEnforcementEnds }) => {
      return isActive ? (timeEnforcementEnds?.getTime() ?? null) : null;
    });
    const answer = withTimeout(systemClock, askMs, asked, () => null).catch(() => null);
    this.#until = answer;
    systemClock.after(rereadMs, () => {
      if (this.#until === answer) this.#until = null;
    });
    return answer;
  }
}
