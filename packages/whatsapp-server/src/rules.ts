/** Rules for what to do about matching subjects. The oldest matching rule goes first, and each applies a limited number of times. */
export class Rules<Subject, Action> {
  #rules: { matches: (subject: Subject) => boolean; action: Action; left: number }[] = [];

  add(matches: (subject: Subject) => boolean, action: Action, times: number): void {
    this.#rules.push({ matches, action, left: times });
  }

  /** The action for this subject, which uses its rule once; null when no rule matches. */
  take(subject: Subject): Action | null {
    const rule = this.#rules.find((candidate) => candidate.left > 0 && candidate.matches(subject));
    if (!rule) return null;
    rule.left -= 1;
    if (rule.left <= 0) this.#rules = this.#rules.filter((candidate) => candidate !== rule);
    return rule.action;
  }

  clear(): void {
    this.#rules = [];
  }
}
