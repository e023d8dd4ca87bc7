import type { NewChats } from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';
import { type BudgetColumns, budgetAt, tighter } from './chat-budget/budget.ts';

/** The columns of an instance that store its quota of new chats. */
export type NewChatsColumns = Pick<InstanceRow, 'new_chats_used' | 'new_chats_quota' | 'new_chats_cycle_ends_at'>;

/** The columns for this quota; null clears them. */
export function newChatsColumns(newChats: NewChats | null): NewChatsColumns {
  return {
    new_chats_used: newChats?.used ?? null,
    new_chats_quota: newChats?.quota ?? null,
    new_chats_cycle_ends_at: newChats?.cycleEndsAt ?? null,
  };
}

/** What the network or the owner's budget allows after these columns, whichever leaves fewer; null: no limit is known. */
export function storedNewChats(row: NewChatsColumns & BudgetColumns, now: number): NewChats | null {
  return tighter(toldNewChats(row, now), budgetAt(row, now));
}

/** The network's quota in these columns, if its cycle has not ended at `now` (epoch milliseconds). */
export function toldNewChats(row: NewChatsColumns, now: number): NewChats | null {
  const { new_chats_used: used, new_chats_quota: quota, new_chats_cycle_ends_at: cycleEndsAt } = row;
  return used === null || quota === null ? null : ofThisCycle({ used, quota, cycleEndsAt }, now);
}

/** The quota, or null when its cycle is over. */
export function ofThisCycle(newChats: NewChats | null, now: number): NewChats | null {
  return newChats?.cycleEndsAt != null && newChats.cycleEndsAt <= now ? null : newChats;
}
