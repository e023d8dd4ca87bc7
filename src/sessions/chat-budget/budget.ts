import { dayMs, OperatorError, utcDay } from '../../core/index.ts';
import type { NewChats } from '../../networks/index.ts';
import type { InstanceRow } from '../../store/index.ts';

/** How many chats a number may begin on a UTC day, as its owner wishes. */
export interface ChatBudget {
  readonly perDay: number;
  /** A newly linked number begins with `start` and may do `growthPercent` more each day, until it is at `perDay`; null: `perDay` at once. */
  readonly warmUp: { readonly start: number; readonly growthPercent: number } | null;
}

export const budgetBounds = { perDay: { min: 1, max: 10_000 }, start: { min: 1, max: 10_000 }, growthPercent: { min: 1, max: 1_000 } };

export type BudgetColumns = Pick<InstanceRow, 'chat_budget' | 'chat_budget_day' | 'chat_budget_used' | 'linked_at' | 'created_at'>;

/** The budget as it is stored. Throws OperatorError when one of its numbers is out of bounds. */
export function budgetText(budget: ChatBudget): string {
  const { perDay, warmUp } = budget;
  bounded('the budget per day', perDay, budgetBounds.perDay);
  if (warmUp !== null) {
    bounded('the start of the warm-up', warmUp.start, budgetBounds.start);
    bounded('the growth of the warm-up', warmUp.growthPercent, budgetBounds.growthPercent);
    if (warmUp.start > perDay) throw new OperatorError('the start of the warm-up must be no more than the budget per day');
  }
  return JSON.stringify({ perDay, warmUp });
}

/** The budget in these columns; null: the number has none. */
export function storedBudget({ chat_budget }: Pick<BudgetColumns, 'chat_budget'>): ChatBudget | null {
  // Written by `budgetText`.
  return chat_budget === null ? null : (JSON.parse(chat_budget) as ChatBudget);
}

/** How many chats the number may begin on the day of `now`, and how many it has begun; null: it has no budget. */
export function budgetAt(row: BudgetColumns, now: number): (NewChats & { readonly cycleEndsAt: number }) | null {
  const budget = storedBudget(row);
  if (budget === null) return null;
  const used = row.chat_budget_day === utcDay(now) ? row.chat_budget_used : 0;
  return { used, quota: allowedAt(budget, row.linked_at ?? row.created_at, now), cycleEndsAt: endOfDay(now) };
}

/** The tighter of the network's quota and the budget: the one that leaves fewer chats. */
export function tighter(network: NewChats | null, budget: NewChats | null): NewChats | null {
  if (network === null || budget === null) return network ?? budget;
  return left(budget) < left(network) ? budget : network;
}

function left({ used, quota }: NewChats): number {
  return Math.max(0, quota - used);
}

/** `since`: when the number was linked. */
function allowedAt({ perDay, warmUp }: ChatBudget, since: number, now: number): number {
  if (warmUp === null) return perDay;
  // Whole UTC days, so that all of a day has the same budget.
  const days = Math.max(0, Math.floor(now / dayMs) - Math.floor(since / dayMs));
  return Math.min(perDay, Math.floor(warmUp.start * (1 + warmUp.growthPercent / 100) ** days));
}

function endOfDay(now: number): number {
  return (Math.floor(now / dayMs) + 1) * dayMs;
}

function bounded(name: string, value: number, { min, max }: { readonly min: number; readonly max: number }): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new OperatorError(`${name} must be a whole number from ${min} to ${max}`);
}
