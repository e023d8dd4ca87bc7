import { Semaphore, Signal, systemClock } from '../../../../../core/index.ts';
import type { Ack } from '../acks.ts';
import type { Retry, Wire } from '../link-memory.ts';

/** The result of sending again; `forgotten` when the message is no longer kept. */
export type Resent = Ack | 'forgotten';

interface RetriesOptions {
  /** The pause before the second attempt in milliseconds; it doubles with each. */
  readonly pauseMs: number;
  /** Sends a message again under its id, to the devices its recipient has now. Never rejects. */
  resend(id: string): Promise<Resent>;
  /** The device will not get the message. */
  onLost(id: string, device: string): void;
}

/** How often a message is sent again for one device, in addition to the direct answers to its retry receipts. */
const mostAttempts = 5;
/** How many messages are sent again at the same time; after a reconnect there may be many. */
const atOnce = 4;
/** The network's code for devices or SignalSessions that are out of date. */
const staleDevices = '479';

/**
 * Makes sure that a device which has asked for a message again gets it. The original message was accepted long before, so no one else would notice if
 * the network refused the retry or the connection was lost.
 */
export class Retries {
  readonly #wire: Wire;
  readonly #options: RetriesOptions;
  readonly #changes = new Signal(systemClock);
  readonly #slots = new Semaphore(atOnce, atOnce);
  /** The messages that this connection takes care of, with the acknowledgements still to come. */
  readonly #followed = new Map<Retry, Promise<Resent>[]>();
  #closed = false;

  constructor(wire: Wire, options: RetriesOptions) {
    this.#wire = wire;
    this.#options = options;
    wire.sock.ws.on('close', this.close);
  }

  /** The connection is logged in. Sends again what earlier connections could not finish. */
  opened(): void {
    for (const retry of this.#wire.memory.retries.values()) {
      if (!retry.settled && !this.#followed.has(retry)) this.#follow(retry, Promise.resolve('none'));
    }
  }

  /** Leaves unfinished messages to the next connection. */
  readonly close = (): void => {
    this.#closed = true;
    this.#changes.notify();
    this.#wire.sock.ws.off('close', this.close);
  };

  /** The device with this JID has asked for the message and was sent it; `ack` is the acknowledgement to come. */
  answered(id: string, device: string, ack: Promise<Resent>): void {
    const { retries } = this.#wire.memory;
    const name = `${id} ${device}`;
    const retry = retries.get(name) ?? { id, device, attempts: 0, settled: false };
    retries.set(name, retry);
    if (retry.attempts >= mostAttempts) return;
    retry.settled = false;
    this.#follow(retry, ack);
  }

  #follow(retry: Retry, ack: Promise<Resent>): void {
    const followed = this.#followed.get(retry);
    if (followed !== undefined) {
      followed.push(ack);
      return;
    }
    const acks = [ack];
    this.#followed.set(retry, acks);
    void this.#run(retry, acks);
  }

  /** Sends again until the last retry is accepted, further tries are pointless, or the connection ends. */
  async #run(retry: Retry, acks: Promise<Resent>[]): Promise<void> {
    for (let next = acks.shift(); next !== undefined; next = acks.shift()) {
      let ack = await next;
      while (isWorthAnother(ack) && retry.attempts < mostAttempts) {
        const again = await this.#again(retry);
        // The next connection continues.
        if (again === null) return;
        ack = again;
      }
      const why = failure(ack);
      if (why === null) continue;
      this.#wire.log.error({}, `message ${retry.id} was asked for again and is lost: ${why}`);
      this.#options.onLost(retry.id, retry.device);
      break;
    }
    // Removed in the same turn as the last acknowledgement, so that the next request starts from the beginning.
    this.#followed.delete(retry);
    retry.settled = true;
  }

  /** Sends once more, from the second time on after a pause; null when the connection has ended. */
  async #again(retry: Retry): Promise<Resent | null> {
    const { pauseMs, resend } = this.#options;
    if (retry.attempts > 0) await this.#changes.until(() => this.#closed, pauseMs * 2 ** (retry.attempts - 1));
    const free = await this.#slots.take(null);
    try {
      if (this.#closed || !this.#wire.sock.ws.isOpen) return null;
      retry.attempts++;
      return await resend(retry.id);
    } finally {
      free();
    }
  }
}

/** Whether another try may help: temporary faults pass. Any other refusal is final, and repeating the message would make a restriction worse. */
function isWorthAnother(ack: Resent): boolean {
  if (ack === 'none') return true;
  return ack !== 'forgotten' && ack.code !== null && (ack.code === staleDevices || /^5\d\d$/.test(ack.code));
}

/** Why a device did not get the message that it asked for; null when it did. */
function failure(ack: Resent): string | null {
  if (ack === 'none') return 'it was not acknowledged';
  if (ack === 'forgotten') return 'it is not remembered any more';
  return ack.code === null ? null : `WhatsApp refused it (${ack.code})`;
}
