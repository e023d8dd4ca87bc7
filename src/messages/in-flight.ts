/** The keyed sends of this process that are under way, so that a duplicate can wait for the first one's outcome (decisions §3). */
export class InFlight {
  /** What those who wait for each share; null, which costs nothing, for nobody. */
  readonly #running = new Map<string, PromiseWithResolvers<void> | null>();

  /** Notes that the send of this name is under way, which may not be already. */
  begin(name: string): void {
    this.#running.set(name, null);
  }

  /** The name is free again. */
  end(name: string): void {
    const waited = this.#running.get(name);
    this.#running.delete(name);
    waited?.resolve();
  }

  /** Resolves when the send of this name has ended; undefined when there is none. */
  ended(name: string): Promise<void> | undefined {
    const running = this.#running.get(name);
    if (running === undefined) return undefined;
    const waited = running ?? Promise.withResolvers<void>();
    this.#running.set(name, waited);
    return waited.promise;
  }
}
