/** How many numbers an account may have, and what says so (`details.limit_source` of the contract). */
export interface Allowance {
  readonly limit: number;
  readonly source: 'account' | 'plan' | 'free_slots';
}

/** What decides an account's allowance. */
export interface AllowanceTerms {
  /** 1 for an operator's own account. */
  readonly operator: number;
  readonly freeSlots: number | null;
  readonly ownLimit: number | null;
  /** null without a plan. */
  readonly planLimit: number | null;
}

/**
 * An operator's own account has its free slots and nothing else, any other account its own limit or else its plan's.
 * What was never granted is 0: an operator's account without free slots, an account without limit and plan.
 */
export function allowance(terms: AllowanceTerms): Allowance {
  if (terms.operator !== 0) return { limit: terms.freeSlots ?? 0, source: 'free_slots' };
  if (terms.ownLimit !== null) return { limit: terms.ownLimit, source: 'account' };
  return { limit: terms.planLimit ?? 0, source: 'plan' };
}
