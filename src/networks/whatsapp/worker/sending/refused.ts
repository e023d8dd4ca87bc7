import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../../core/index.ts';
import type { OutgoingMessage, SendOutcome } from '../../../index.ts';
import { reactionToRefusal, reasonOf } from '../../refusals.ts';
import type { Wire } from './link-memory.ts';
import type { NewChatLimits } from './new-chats/limits.ts';
import type { Recipient, Space } from './people.ts';
import type { Recipients } from './recipients.ts';

/** How often a message is sent in all when the network refuses it because of temporary faults. */
const mostTries = 3;
const noLid: SendOutcome = {
  outcome: 'refused',
  reason: 'WhatsApp takes no message to this number, which has no LID.',
  details: { reason: 'no_lid' },
};

interface RefusalsOptions {
  readonly recipients: Recipients;
  readonly newChats: NewChatLimits;
  /** The pause after the first refusal because of a temporary fault, in milliseconds; the second is twice as long. */
  readonly pauseMs: number;
  /** The message is not tried again after this time of the stopwatch. */
  readonly until: number;
}

/** The refusals of one message: it is tried again within the time that its sender waits, or it gets its outcome. */
export class Refusals {
  readonly #wire: Wire;
  readonly #message: OutgoingMessage;
  readonly #options: RefusalsOptions;
  #paused = 0;
  #renewed = false;
  #space: Space | null = null;

  constructor(wire: Wire, message: OutgoingMessage, options: RefusalsOptions) {
    this.#wire = wire;
    this.#message = message;
    this.#options = options;
  }

  /** The namespace to use after the other one was refused; null when none was. */
  get space(): Space | null {
    return this.#space;
  }

  /** The outcome of the message after it was refused with this code; null when it should be tried again. */
  async outcome(recipient: Recipient, code: string): Promise<SendOutcome | null> {
    const { recipients, newChats } = this.#options;
    const { person, space } = recipient;
    const { to } = this.#message;
    const reaction = reactionToRefusal(code);
    // Somebody who had no LID when the network was asked may have one by now.
    if (person.lid === null) this.#wire.memory.people.delete(to);
    switch (reaction.do) {
      case 'retry':
        return (await this.#mayPause()) ? null : rejected(code);
      case 'renew_devices':
        await recipients.forget(person);
        return this.#mayRenew() ? null : rejected(code);
      case 'find_cause': {
        const outcome = await newChats.refused(to, recipient, { numberInsteadOfLid: space === 'pn' && person.lid !== null });
        return outcome.outcome === 'rejected' && this.#mayUse('lid') ? null : outcome;
      }
      case 'hold_new_chats':
        return newChats.capped(to, recipient);
      case 'refuse':
        return { outcome: 'refused', reason: reaction.message, details: { reason: reaction.reason } };
      case 'readdress':
        await recipients.forget(person);
        if (person.lid === null) return noLid;
        return space === 'lid' && person.pn !== null && this.#mayUse('pn') ? null : rejected(code);
      case 'fail':
        // Many refusals are due to devices or SignalSessions that have changed since they were looked up.
        await recipients.forget(person);
        return rejected(code);
    }
  }

  /** Waits before the next try; false when there must not be another. */
  async #mayPause(): Promise<boolean> {
    const pauseMs = this.#options.pauseMs * (this.#paused + 1);
    if (this.#paused >= mostTries - 1 || systemClock.monotonic() + pauseMs > this.#options.until) return false;
    this.#paused++;
    await wait(pauseMs);
    return true;
  }

  /** Whether it may be tried in this namespace, which is done only once. */
  #mayUse(space: Space): boolean {
    if (this.#space !== null || systemClock.monotonic() >= this.#options.until) return false;
    this.#space = space;
    return true;
  }

  /** Whether it may be tried with devices that are looked up again, which is done only once. */
  #mayRenew(): boolean {
    const first = !this.#renewed && systemClock.monotonic() < this.#options.until;
    this.#renewed = true;
    return first;
  }
}

function rejected(code: string): SendOutcome {
  return { outcome: 'rejected', code, reason: reasonOf(code) };
}
