import { dayMs, isUuid, OperatorError, quote } from '../core/index.ts';
import type { AccountRow } from '../store/index.ts';

/** The smallest and largest value of each number that an operator gives; the largest fit every database's integer. */
export const bounds = {
  messagesPerMinute: { min: 1, max: 1_000_000 },
  instanceLimit: { min: 0, max: 1_000_000 },
  trialMessages: { min: 1, max: 1_000_000_000 },
  numberCapacity: { min: 0, max: 10_000_000 },
  freeSlots: { min: 0, max: 1_000_000 },
} as const;

const maxNameLength = 100;
// The contract's limit for a label.
const maxLabelLength = 60;

/** Throws OperatorError unless the value is absent, null (none) or a whole number within the bounds. */
export function checkNumber(field: keyof typeof bounds, value: number | null | undefined): void {
  const { min, max } = bounds[field];
  if (value === null || value === undefined) return;
  if (!Number.isInteger(value) || value < min || value > max)
    throw new OperatorError(`${field} must be a whole number from ${min} to ${max}`);
}

/** The name without surrounding space. Throws OperatorError when it is empty, over 100 characters or holds control characters. */
export function checkName(text: string): string {
  return checkText('a name', text, maxNameLength);
}

/** A plan's name; it cannot look like an id or be `none`, because plans are referred to by name or id and `none` means no plan. */
export function checkPlanName(text: string): string {
  const name = checkName(text);
  if (isUuid(name) || name === 'none') throw new OperatorError(`${quote(name)} cannot be the name of a plan`);
  return name;
}

/** A key's label without surrounding space. Throws OperatorError when it is empty, over 60 characters or holds control characters. */
export function checkLabel(text: string): string {
  return checkText('a label', text, maxLabelLength);
}

/** A customer's name in a provider's own books, without surrounding space. Throws OperatorError when it is empty, over 100 characters or holds control characters. */
export function checkReference(text: string): string {
  return checkText('a reference', text, maxNameLength);
}

function checkText(what: string, text: string, maxLength: number): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new OperatorError(`${what} must not be empty`);
  if ([...trimmed].length > maxLength) throw new OperatorError(`${what} must have at most ${maxLength} characters`);
  if (/\p{Cc}/u.test(trimmed)) throw new OperatorError(`${what} must not contain control characters`);
  return trimmed;
}

export type Terms = Pick<AccountRow, 'plan_id' | 'plan_starts_at' | 'plan_ends_at' | 'access_ends_at'>;

/** What is set of them; absent: unchanged, null: none. */
export interface TermsChange {
  readonly planId?: string | null | undefined;
  readonly planEndsAt?: number | null | undefined;
  readonly accessEndsAt?: number | null | undefined;
}

/** The terms as a change leaves them: another plan starts now, without an end unless one is given. */
export function termsAfter(before: Terms, change: TermsChange, now: number): Terms {
  const { planId = before.plan_id, planEndsAt, accessEndsAt = before.access_ends_at } = change;
  const same = planId === before.plan_id;
  return {
    plan_id: planId,
    plan_starts_at: same ? before.plan_starts_at : planId === null ? null : now,
    plan_ends_at: planEndsAt === undefined ? (same ? before.plan_ends_at : null) : planEndsAt,
    access_ends_at: accessEndsAt,
  };
}

/** How far ends are moved: to a moment, or by days of 24 hours. */
export type Extension = { readonly until: number } | { readonly days: number };

/** An end moved later. What ends later already or has no end stays; days are added to what is left, or to now where it is over. */
export function extended(end: number | null, extension: Extension, now: number): number | null {
  if (end === null) return null;
  return 'until' in extension ? Math.max(end, extension.until) : Math.max(end, now) + extension.days * dayMs;
}
