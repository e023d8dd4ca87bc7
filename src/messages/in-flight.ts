/** The keyed sends of this process that are under way, so that a duplicate can wait for the first one's outcome (decisions §3). */
export class InFlight {
  /** Who waits for each; null, which costs nothing, for nobody. */
  readonly #running = new Map<string, (() => void)[] | null>();

  /** Notes that the send of this name is under way, which may not be already. */
  begin(name: string): void {
    this.#running.set(name, null);
  }

  /** The name is free again. */
  end(name: string): void {
    const waiting = this.#running.get(name);
    this.#running.delete(name);
    for (const resolve of waiting ?? []) resolve();
  }

  /** Resolves when the send of this name has ended; undefined when there is none. */
  ended(name: string): Promise<void> | undefined {
    const waiting = this.#running.get(name);
    if (waiting === undefined) return undefined;
    return new Promise((resolve) => {
      if (waiting === null) this.#running.set(name, [resolve]);
      else waiting.push(resolve);
    });
  }
}
