/** The keyed sends of this process that are under way, so that a duplicate can wait for the first one's outcome (decisions §3). */
export class InFlight {
  readonly #running = new Map<string, Promise<void>>();

  /** Runs the work under this name; the name is free again when it ends, however it ends. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.set(name, promise);
    try {
      return await work();
    } finally {
      this.#running.delete(name);
      resolve();
    }
  }

  /** Resolves when the work under this name has ended; undefined when there is none. */
  ended(name: string): Promise<void> | undefined {
    return this.#running.get(name);
  }
}
