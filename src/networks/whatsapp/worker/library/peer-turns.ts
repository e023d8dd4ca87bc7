/** Runs the work for one peer one piece at a time, in the order of the calls. */
export class PeerTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(peer: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(peer) ?? Promise.resolve()).then(work);
    const over = () => {
      if (this.#last.get(peer) === turn) this.#last.delete(peer);
    };
    const turn: Promise<void> = result.then(over, over);
    this.#last.set(peer, turn);
    return result;
  }
}
