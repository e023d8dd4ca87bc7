import { type Clock, Periodic } from '../../../../core/index.ts';

interface HeartbeatOptions {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** The longest pause between two pings in milliseconds; the shortest is half of it. */
  readonly everyMs: number;
  /** Pings the server; false when no answer comes in time. Never rejects. */
  ping(withinMs: number): Promise<boolean>;
  /** The server no longer answers. There are no pings after this. */
  dead(): void;
}

/**
 * Pings at random times whether the server is there, as WhatsApp Web does: every 15 to 30 s. When no answer comes within 20 s, the connection is
 * dead.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #pings: Periodic;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    const { clock, everyMs, random } = options;
    this.#pings = new Periodic({ clock, everyMs: () => (everyMs * (1 + random())) / 2, work: () => this.#ping() });
  }

  start(): void {
    this.#pings.start();
  }

  stop(): void {
    void this.#pings.stop();
  }

  async #ping(): Promise<void> {
    const { everyMs, ping, dead } = this.#options;
    if ((await ping((everyMs * 2) / 3)) || this.#pings.stopped) return;
    this.stop();
    dead();
  }
}
