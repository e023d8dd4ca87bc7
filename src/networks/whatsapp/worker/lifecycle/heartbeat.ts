import type { Clock, Timer } from '../../../../core/index.ts';

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
  #timer: Timer | null = null;
  #stopped = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, random, everyMs } = this.#options;
    if (this.#stopped) return;
    this.#timer?.cancel();
    this.#timer = clock.after(everyMs / 2 + (random() * everyMs) / 2, () => void this.#beat());
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  async #beat(): Promise<void> {
    const { everyMs, ping, dead } = this.#options;
    const alive = await ping((everyMs * 2) / 3);
    if (this.#stopped) return;
    if (alive) this.start();
    else dead();
  }
}
