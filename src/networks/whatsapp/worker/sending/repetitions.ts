import { Changes, createSlots, systemClock } from '../../../../core/index.ts';
import type { BoundedCache } from '../library/bounded-cache.ts';
import type { Acknowledgement } from './acknowledgements.ts';
import type { SendingLog, SendingSocket } from './socket.ts';

/** A message that one device has asked for again. */
export interface Wanted {
  readonly id: string;
  /** How often it was sent again to all devices because the answer to this one may not have arrived. */
  attempts: number;
  /** Whether the network has taken it, or it was given up. */
  settled: boolean;
}

/** What became of sending again; `forgotten`: the content is not remembered any more. */
export type Repeated = Acknowledgement | 'forgotten';

interface RepetitionsOptions {
  readonly ws: SendingSocket['ws'];
  /** By message and device; outlives the connection. */
  readonly wanted: BoundedCache<Wanted>;
  readonly log: SendingLog;
  /** The pause before the second attempt in milliseconds; it doubles with each. */
  readonly pauseMs: number;
  /** Sends a message again under its id, to the devices its recipient has now. Never rejects. */
  sendAgain(id: string): Promise<Repeated>;
}

/** How often a message is sent again for one device, besides the answers to its receipts. */
const mostAttempts = 5;
/** How many are sent again at once: after a reconnect there may be many. */
const atOnce = 4;
/** The network's word for devices or sessions that are not those it knows. */
const staleDevices = '479';

/**
 * Sees to it that the answers to devices which have asked for a message again arrive there. The message was accepted long before, so that nobody
 * else would notice when the network refuses its repetition or the connection is lost.
 */
export class Repetitions {
  readonly #options: RepetitionsOptions;
  readonly #changes = new Changes(systemClock);
  readonly #slots = createSlots(atOnce, atOnce);
  /** What this connection looks after, each with the answers that are still to be heard. */
  readonly #followed = new Map<Wanted, Promise<Repeated>[]>();
  #closed = false;

  constructor(options: RepetitionsOptions) {
    this.#options = options;
    options.ws.on('close', this.close);
  }

  /** The connection is logged in: what earlier ones could not finish is sent again. */
  opened(): void {
    for (const wanted of this.#options.wanted.values()) {
      if (!wanted.settled && !this.#followed.has(wanted)) this.#follow(wanted, Promise.resolve('none'));
    }
  }

  /** Leaves what is not finished to the next connection. */
  readonly close = (): void => {
    this.#closed = true;
    this.#changes.tell();
    this.#options.ws.off('close', this.close);
  };

  /** The device with this JID has asked for the message, and what it was sent awaits its answer. */
  answered(id: string, device: string, answer: Promise<Repeated>): void {
    const name = `${id} ${device}`;
    const wanted = this.#options.wanted.get(name) ?? { id, attempts: 0, settled: false };
    this.#options.wanted.set(name, wanted);
    if (wanted.attempts >= mostAttempts) return;
    wanted.settled = false;
    this.#follow(wanted, answer);
  }

  #follow(wanted: Wanted, answer: Promise<Repeated>): void {
    const followed = this.#followed.get(wanted);
    if (followed !== undefined) {
      followed.push(answer);
      return;
    }
    const answers = [answer];
    this.#followed.set(wanted, answers);
    void this.#hear(wanted, answers);
  }

  /** Sends again until what was sent last is taken, or nothing more helps, or the connection ends. */
  async #hear(wanted: Wanted, answers: Promise<Repeated>[]): Promise<void> {
    for (let next = answers.shift(); next !== undefined; next = answers.shift()) {
      let answer = await next;
      while (isWorthAnother(answer) && wanted.attempts < mostAttempts) {
        const again = await this.#again(wanted);
        // The next connection goes on from here.
        if (again === null) return;
        answer = again;
      }
      const why = failure(answer);
      if (why === null) continue;
      this.#options.log.error({}, `message ${wanted.id} was asked for again and is lost: ${why}`);
      break;
    }
    // In the turn in which the last answer was heard, so that the next request begins anew.
    this.#followed.delete(wanted);
    wanted.settled = true;
  }

  /** Sends once more, after a pause from the second time on; null when the connection has ended. */
  async #again(wanted: Wanted): Promise<Repeated | null> {
    const { ws, pauseMs, sendAgain } = this.#options;
    if (wanted.attempts > 0) await this.#changes.until(() => this.#closed, pauseMs * 2 ** (wanted.attempts - 1));
    const free = await this.#slots.take(null);
    try {
      if (this.#closed || !ws.isOpen) return null;
      wanted.attempts++;
      return await sendAgain(wanted.id);
    } finally {
      free();
    }
  }
}

/** Trouble of the network's own passes, too; every other refusal is meant, and repeating it would make a restriction worse. */
function isWorthAnother(answer: Repeated): boolean {
  if (answer === 'none') return true;
  return answer !== 'forgotten' && answer.code !== null && (answer.code === staleDevices || /^5\d\d$/.test(answer.code));
}

/** Why a device did not get what it asked for; null when it did. */
function failure(answer: Repeated): string | null {
  if (answer === 'none') return 'it was not acknowledged';
  if (answer === 'forgotten') return 'it is not remembered any more';
  return answer.code === null ? null : `WhatsApp refused it (${answer.code})`;
}
