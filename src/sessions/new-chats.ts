import type { NewChats } from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';

/** How an instance's quota of new chats is kept with it. */
export type NewChatsColumns = Pick<InstanceRow, 'new_chats_used' | 'new_chats_quota' | 'new_chats_cycle_ends_at'>;

/** The columns that keep it, or that nothing is known. */
export function newChatsColumns(newChats: NewChats | null): NewChatsColumns {
  return {
    new_chats_used: newChats?.used ?? null,
    new_chats_quota: newChats?.quota ?? null,
    new_chats_cycle_ends_at: newChats?.cycleEndsAt ?? null,
  };
}

/** What these columns keep, if it still holds at `now` (epoch milliseconds). */
export function storedNewChats(row: NewChatsColumns, now: number): NewChats | null {
  const { new_chats_used: used, new_chats_quota: quota, new_chats_cycle_ends_at: cycleEndsAt } = row;
  return used === null || quota === null ? null : ofThisCycle({ used, quota, cycleEndsAt }, now);
}

/** What was told of a cycle, or null when that cycle is over. */
export function ofThisCycle(newChats: NewChats | null, now: number): NewChats | null {
  return newChats?.cycleEndsAt != null && newChats.cycleEndsAt <= now ? null : newChats;
}
