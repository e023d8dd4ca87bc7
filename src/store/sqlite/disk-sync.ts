import { closeSync, fdatasync, openSync } from 'node:fs';

/** Called with null when the commit is on the disk, or with the error of the disk. */
type OnSynced = (error: Error | null) => void;

/**
 * Waits for the disk without stopping the event loop. A commit under `synchronous = normal` is in the write-ahead log but maybe not on the
 * disk; syncing that file makes everything committed before it as durable as a commit under `synchronous = full` does. While one sync is
 * under way the next commits gather, so that they share the next one.
 */
export class DiskSync {
  readonly #file: string;
  #descriptor: number | null = null;
  #waiting: OnSynced[] = [];
  #running = false;

  /** `file`: the write-ahead log of an open database. */
  constructor(file: string) {
    this.#file = file;
  }

  /** Calls `onSynced` when everything committed until now is on the disk. */
  after(onSynced: OnSynced): void {
    this.#waiting.push(onSynced);
    if (!this.#running) this.#start();
  }

  /** Resolves when no call that was made until now waits any more. */
  async idle(): Promise<void> {
    if (this.#running) await new Promise<void>((resolve) => this.after(() => resolve()));
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
      // Later, so that nobody is called back before `after` has returned.
      setImmediate(() => this.#ended(batch, error as Error));
      return;
    }
    fdatasync(this.#descriptor, (error) => this.#ended(batch, error));
  }

  #ended(batch: readonly OnSynced[], error: Error | null): void {
    this.#running = false;
    if (this.#waiting.length > 0) this.#start();
    for (const onSynced of batch) onSynced(error);
  }
}
