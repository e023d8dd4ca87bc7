import type { Restriction } from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';

// A record, so that a reason missing here is a compile error.
const reasons: Readonly<Record<Restriction['reason'], true>> = {
  reach_out_blocked: true,
  new_chats_capped: true,
  temporarily_banned: true,
  version_refused: true,
  replaced: true,
};

/** All reasons for a restriction. */
export const restrictionReasons = Object.keys(reasons) as readonly Restriction['reason'][];

/** The restriction of a number that another program uses: it is parked until a user reconnects it. */
export const replaced: Restriction = { reason: 'replaced', until: null };

/** The columns of an instance that store its restriction. */
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
