/** Listeners to a state that is either up or down. One that throws is the caller's to report. */
export class Listeners {
  readonly #listeners = new Set<(state: boolean) => void>();

  /** Adds the listener until the returned function is called. */
  add(listener: (state: boolean) => void): () => void {
    // A function of its own, so that one listener may be added twice.
    const own = (state: boolean) => listener(state);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  notify(state: boolean): void {
    for (const listener of [...this.#listeners]) listener(state);
  }
}
