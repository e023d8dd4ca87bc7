import { Semaphore, Signal, systemClock } from '../../../../core/index.ts';
import type { BoundedCache } from '../library/bounded-cache.ts';
import type { Acknowledgement } from './acknowledgements.ts';
import type { SendingLog, SendingSocket } from './socket.ts';

/** A message that one device has asked for again. */
export interface Wanted {
  readonly id: string;
  /** JID of the device. */
  readonly device: string;
  /** How often it was sent again to all devices because the answer to this one may have been lost. */
  attempts: number;
  /** Whether the network has accepted it or it was given up. */
  settled: boolean;
}

/** The result of sending again; `forgotten` when the message is no longer kept. */
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
  /** The device will not get the message. */
  lost(id: string, device: string): void;
}

/** How often a message is sent again for one device, in addition to the direct answers to its retry receipts. */
const mostAttempts = 5;
/** How many messages are sent again at the same time; after a reconnect there may be many. */
const atOnce = 4;
/** The network's code for devices or SignalSessions that are out of date. */
const staleDevices = '479';

/**
 * Makes sure that a device which has asked for a message again gets it. The original message was accepted long before, so no one else would notice if
 * the network refused the repetition or the connection was lost.
 */
export class Repetitions {
  readonly #options: RepetitionsOptions;
  readonly #changes = new Signal(systemClock);
  readonly #slots = new Semaphore(atOnce, atOnce);
  /** The messages that this connection takes care of, with the acknowledgements still to come. */
  readonly #followed = new Map<Wanted, Promise<Repeated>[]>();
  #closed = false;

  constructor(options: RepetitionsOptions) {
    this.#options = options;
    options.ws.on('close', this.close);
  }

  /** The connection is logged in. Sends again what earlier connections could not finish. */
  opened(): void {
    for (const wanted of this.#options.wanted.values()) {
      if (!wanted.settled && !this.#followed.has(wanted)) this.#follow(wanted, Promise.resolve('none'));
    }
  }

  /** Leaves unfinished messages to the next connection. */
  readonly close = (): void => {
    this.#closed = true;
    this.#changes.notify();
    this.#options.ws.off('close', this.close);
  };

  /** The device with this JID has asked for the message and was sent it; `answer` is the acknowledgement to come. */
  answered(id: string, device: string, answer: Promise<Repeated>): void {
    const name = `${id} ${device}`;
    const wanted = this.#options.wanted.get(name) ?? { id, device, attempts: 0, settled: false };
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

  /** Sends again until the last repetition is accepted, further tries are pointless, or the connection ends. */
  async #hear(wanted: Wanted, answers: Promise<Repeated>[]): Promise<void> {
    for (let next = answers.shift(); next !== undefined; next = answers.shift()) {
      let answer = await next;
      while (isWorthAnother(answer) && wanted.attempts < mostAttempts) {
        const again = await this.#again(wanted);
        // The next connection continues.
        if (again === null) return;
        answer = again;
      }
      const why = failure(answer);
      if (why === null) continue;
      this.#options.log.error({}, `message ${wanted.id} was asked for again and is lost: ${why}`);
      this.#options.lost(wanted.id, wanted.device);
      break;
    }
    // Removed in the same turn as the last acknowledgement, so that the next request starts from the beginning.
    this.#followed.delete(wanted);
    wanted.settled = true;
  }

  /** Sends once more, from the second time on after a pause; null when the connection has ended. */
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

/** Whether another try may help: temporary faults pass. Any other refusal is final, and repeating the message would make a restriction worse. */
function isWorthAnother(answer: Repeated): boolean {
  if (answer === 'none') return true;
  return answer !== 'forgotten' && answer.code !== null && (answer.code === staleDevices || /^5\d\d$/.test(answer.code));
}

/** Why a device did not get the message that it asked for; null when it did. */
function failure(answer: Repeated): string | null {
  if (answer === 'none') return 'it was not acknowledged';
  if (answer === 'forgotten') return 'it is not remembered any more';
  return answer.code === null ? null : `WhatsApp refused it (${answer.code})`;
}
