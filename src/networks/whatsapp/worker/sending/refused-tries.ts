import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../../core/index.ts';
import type { Space } from './people.ts';

/** How often a message is sent in all when the network refuses it because of temporary faults. */
const mostTries = 3;

/** Limits how often one message is tried again after a refusal, within the time that its sender waits. */
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

  /** Waits before the next try; false when there must not be another. */
  async afterPause(): Promise<boolean> {
    const pauseMs = this.#pauseMs * (this.#paused + 1);
    if (this.#paused >= mostTries - 1 || systemClock.monotonic() + pauseMs > this.#until) return false;
    this.#paused++;
    await wait(pauseMs);
    return true;
  }

  /** The namespace to use after the other one was refused; null when none was. */
  get space(): Space | null {
    return this.#space;
  }

  /** Whether it may be tried in this namespace, which is done only once. */
  in(space: Space): boolean {
    if (this.#space !== null || systemClock.monotonic() >= this.#until) return false;
    this.#space = space;
    return true;
  }

  /** Whether it may be tried with devices that are looked up again, which is done only once. */
  withNewDevices(): boolean {
    const first = !this.#renewed && systemClock.monotonic() < this.#until;
    this.#renewed = true;
    return first;
  }
}
