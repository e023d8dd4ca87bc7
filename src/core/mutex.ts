/** Lets one piece of work run at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work when everything before it has ended, well or badly; with its outcome. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything taken in so far has ended. */
  async ended(): Promise<void> {
    await this.#last;
  }
}
