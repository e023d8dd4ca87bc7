/** How many run at once in all, and how many of them for one owner while fewer than half are taken; later owners find one lane each. */
interface LanesOptions {
  readonly total: number;
  readonly perOwner: number;
}

/**
 * Lanes in which work runs. Each owner has its own share, so that one whose work is slow holds up only itself; once half of all lanes are taken the
 * share is one, so that it takes very many such owners before a lane is missing for another.
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #running = new Map<string, number>();
  #taken = 0;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Takes a lane; false when the owner's share is used, or none is free. */
  take(owner: string): boolean {
    const { total } = this.#options;
    const running = this.#running.get(owner) ?? 0;
    if (this.#taken >= total || running >= this.#share) return false;
    this.#running.set(owner, running + 1);
    this.#taken++;
    return true;
  }

  /** Gives a lane back that the owner has taken. */
  free(owner: string): void {
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#taken--;
  }

  /** The owners whose share is used. */
  get full(): string[] {
    return [...this.#running].flatMap(([owner, running]) => (running >= this.#share ? [owner] : []));
  }

  get #share(): number {
    const { total, perOwner } = this.#options;
    return this.#taken < total / 2 ? perOwner : 1;
  }
}
