import { type NewChats, type Restriction, restrictionReasons } from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';
import { type BudgetColumns, budgetAt, tighter } from './chat-budget/budget.ts';

// What a network does not allow a number, and how an instance's columns hold it.

/** The restriction of a number that another program uses: it is parked until a user reconnects it. */
export const replaced: Restriction = { reason: 'replaced', until: null };

export type RestrictionColumns = Pick<InstanceRow, 'restriction_reason' | 'restriction_until'>;

/** The columns for this restriction; null clears them. */
export function restrictionColumns(restriction: Restriction | null): RestrictionColumns {
  return { restriction_reason: restriction?.reason ?? null, restriction_until: restriction?.until ?? null };
}

/** The restriction in these columns, if it is still in force at `now` (epoch milliseconds). */
export function storedRestriction(row: RestrictionColumns, now: number): Restriction | null {
  const reason = restrictionReasons.find((known) => known === row.restriction_reason);
  return reason === undefined ? null : inForce({ reason, until: row.restriction_until }, now);
}

/** The restriction, or null when it has ended. */
export function inForce(restriction: Restriction | null, now: number): Restriction | null {
  return restriction !== null && restriction.until !== null && restriction.until <= now ? null : restriction;
}

/** Whether the number cannot connect at all while the restriction lasts. Other restrictions only limit what it may do. */
export function keepsAway(restriction: Restriction | null): boolean {
  switch (restriction?.reason) {
    case undefined:
    case 'reach_out_blocked':
    case 'new_chats_capped':
      return false;
    case 'temporarily_banned':
    case 'version_refused':
    case 'replaced':
      return true;
  }
}

/** Whether the restriction lasts when the number is unlinked: it concerns the gateway, not the number. */
export function outlivesLink({ reason }: Restriction): boolean {
  return reason === 'version_refused';
}

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
  return tighter(reportedNewChats(row, now), budgetAt(row, now));
}

/** The network's quota in these columns, if its cycle has not ended at `now` (epoch milliseconds). */
export function reportedNewChats(row: NewChatsColumns, now: number): NewChats | null {
  const { new_chats_used: used, new_chats_quota: quota, new_chats_cycle_ends_at: cycleEndsAt } = row;
  return used === null || quota === null ? null : ofThisCycle({ used, quota, cycleEndsAt }, now);
}

/** The quota, or null when its cycle is over. */
export function ofThisCycle(newChats: NewChats | null, now: number): NewChats | null {
  return newChats?.cycleEndsAt != null && newChats.cycleEndsAt <= now ? null : newChats;
}
