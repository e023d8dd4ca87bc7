/** Lets callers wait for a condition over something that says when it has changed. */
export class Waiting {
  readonly #looks = new Set<() => void>();

  /** Looks at every condition again. */
  look(): void {
    for (const look of [...this.#looks]) look();
  }

  /** Resolves when the condition holds or the time (milliseconds) is up. */
  async until(condition: () => boolean, ms: number): Promise<void> {
    if (condition()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (condition()) resolve();
    };
    const timer = setTimeout(resolve, ms);
    this.#looks.add(look);
    await promise;
    clearTimeout(timer);
    this.#looks.delete(look);
  }
}
