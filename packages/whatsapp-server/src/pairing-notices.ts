import { randomBytes } from 'node:crypto';
import type { BinaryNode } from 'baileys';
import type { Clock, Timer } from './clock.ts';
import type { Connection } from './connection.ts';
import { networkJid } from './jids.ts';
import { nowSeconds } from './nodes.ts';

/** How long a device may take to acknowledge a notification, in milliseconds. */
const acknowledgementMs = 10_000;

interface Notice {
  readonly type: string;
  readonly acknowledged: Promise<void>;
  acknowledge(): void;
  readonly timer: Timer;
}

/** The notifications of a pairing attempt. The real network expects each to be acknowledged, although the device is not logged in yet. */
export class PairingNotices {
  readonly #connection: Connection;
  readonly #clock: Clock;
  readonly #problem: (text: string) => void;
  readonly #notices = new Map<string, Notice>();

  constructor(options: { connection: Connection; clock: Clock; problem: (text: string) => void }) {
    this.#connection = options.connection;
    this.#clock = options.clock;
    this.#problem = options.problem;
  }

  send(type: string, content: BinaryNode[]): void {
    const id = randomBytes(4).toString('hex');
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.after(acknowledgementMs, () => this.#problem(`a notification ${type} was not acknowledged within 10 s`));
    this.#notices.set(id, { type, acknowledged: promise, acknowledge: resolve, timer });
    this.#connection.send({ tag: 'notification', attrs: { from: networkJid, type, id, t: nowSeconds() }, content });
  }

  /** The device acknowledges a notification, or refuses it with an error. */
  onAck({ attrs }: BinaryNode): void {
    const notice = attrs.class === 'notification' ? this.#notices.get(attrs.id ?? '') : undefined;
    if (notice === undefined) return;
    if (attrs.type !== notice.type || attrs.to !== networkJid) this.#problem(`a notification ${notice.type} was acknowledged wrongly`);
    if (attrs.error !== undefined) this.#problem(`a notification ${notice.type} was refused with ${attrs.error}`);
    notice.timer.cancel();
    notice.acknowledge();
  }

  /** Resolves when all notifications so far are acknowledged. Rejects after 10 s. */
  async allAcknowledged(): Promise<void> {
    const acknowledged = Promise.all([...this.#notices.values()].map((notice) => notice.acknowledged));
    const late = Promise.withResolvers<never>();
    const reason = new Error('the device did not acknowledge what it was told before it was linked');
    const timer = this.#clock.after(acknowledgementMs, () => late.reject(reason));
    try {
      await Promise.race([acknowledged, late.promise]);
    } finally {
      timer.cancel();
    }
  }

  /** The connection has ended, so nothing can be acknowledged any more. */
  close(): void {
    for (const { timer } of this.#notices.values()) timer.cancel();
  }
}
