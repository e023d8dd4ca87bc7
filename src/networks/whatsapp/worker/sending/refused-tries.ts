import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../../core/index.ts';
import type { Space } from './people.ts';

/** How often a message is put on the wire while the network refuses it for trouble of its own. */
const mostTries = 3;

/** Counts how often one message is tried again after it was refused, within the time its sender waits. */
export class RefusedTries {
  readonly #pauseMs: number;
  readonly #until: number;
  #paused = 0;
  #renewed = false;
  #space: Space | null = null;

  constructor({ refusalPauseMs, triesMs }: { readonly refusalPauseMs: number; readonly triesMs: number }) {
    this.#pauseMs = refusalPauseMs;
    this.#until = systemClock.monotonic() + triesMs;
  }

  /** Waits before the next try; false when there is none any more. */
  async afterPause(): Promise<boolean> {
    const pauseMs = this.#pauseMs * (this.#paused + 1);
    if (this.#paused >= mostTries - 1 || systemClock.monotonic() + pauseMs > this.#until) return false;
    this.#paused++;
    await wait(pauseMs);
    return true;
  }

  /** The namespace it is tried in since the other one was refused; null: none was. */
  get space(): Space | null {
    return this.#space;
  }

  /** Whether it may be tried in this namespace now, which helps once or not at all. */
  in(space: Space): boolean {
    if (this.#space !== null || systemClock.monotonic() >= this.#until) return false;
    this.#space = space;
    return true;
  }

  /** Whether it may be tried with devices that are looked up anew, which helps once or not at all. */
  withNewDevices(): boolean {
    const first = !this.#renewed && systemClock.monotonic() < this.#until;
    this.#renewed = true;
    return first;
  }
}
