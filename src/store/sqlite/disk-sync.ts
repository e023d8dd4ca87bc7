import { closeSync, fdatasync, openSync } from 'node:fs';

/** Called with null when the commit is on the disk, or with the error of the disk. */
type Told = (error: Error | null) => void;

/**
 * Waits for the disk without stopping the event loop. A commit under `synchronous = normal` is in the write-ahead log but maybe not on the
 * disk; syncing that file makes everything committed before it as durable as a commit under `synchronous = full` does. While one sync is
 * under way the next commits gather, so that they share the next one.
 */
export class DiskSync {
  readonly #file: string;
  #descriptor: number | null = null;
  #waiting: Told[] = [];
  #running = false;
  #idle: (() => void)[] = [];

  /** `file`: the write-ahead log of an open database. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Calls `told` when everything committed until now is on the disk. */
  after(told: Told): void {
    this.#waiting.push(told);
    if (!this.#running) this.#start();
  }

  /** Resolves when no call waits any more. */
  async idle(): Promise<void> {
    if (this.#running) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** To be called when idle. */
  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #start(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#running = true;
    try {
      this.#descriptor ??= openSync(this.#file, 'r+');
    } catch (error) {
      // Later, so that nobody is told before it has returned from asking.
      setImmediate(() => this.#ended(batch, error as Error));
      return;
    }
    fdatasync(this.#descriptor, (error) => this.#ended(batch, error));
  }

  #ended(batch: readonly Told[], error: Error | null): void {
    this.#running = false;
    if (this.#waiting.length > 0) this.#start();
    for (const told of batch) told(error);
    if (this.#running) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
