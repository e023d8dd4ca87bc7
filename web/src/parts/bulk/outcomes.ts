import type { BulkResult } from '../../../../src/portal/wire/listing.ts';

/** The records that came to one of these. */
export function withOutcome(results: readonly BulkResult[], ...outcomes: readonly BulkResult['outcome'][]): readonly BulkResult[] {
  return results.filter(({ outcome }) => outcomes.includes(outcome));
}

/** The ids of those that came to this. */
export function idsWith(results: readonly BulkResult[], outcome: BulkResult['outcome']): readonly string[] {
  return withOutcome(results, outcome).map(({ id }) => id);
}

/** Those that are named one by one: every one-time link, which is shown only here, and of the others as many as somebody reads. */
export function namedOf(results: readonly BulkResult[]): readonly BulkResult[] {
  const linked = results.filter(({ link }) => link !== null);
  const others = results.filter(({ link }) => link === null);
  const sorted = (['unknown', 'failed', 'skipped', 'done'] as const).flatMap((outcome) => withOutcome(others, outcome));
  return [...linked, ...sorted.slice(0, Math.max(0, mostNamed - linked.length))];
}

const mostNamed = 100;
