import { lastingRestrictions, type Restriction } from '../../networks/index.ts';
import type { InstanceRow } from '../../store/index.ts';
import type { Status } from '../connection-state.ts';
import { storedRestriction } from '../network-limits.ts';

/**
 * How a number is for the person who looks after it. `reconnecting`: it comes back by itself. `pairing`: a code waits for the first scan.
 * `needs_person`: it was linked, and only a person can bring it back. `linked`: it has its credentials; whether it is connected right now only
 * the server knows.
 */
export type Standing = 'connected' | 'reconnecting' | 'pairing' | 'never_linked' | 'needs_person' | 'linked';

/** The standing of a number whose live status is known. */
export function standingOf(number: {
  readonly status: Status;
  readonly phoneNumber: string | null;
  readonly restriction: Restriction | null;
}): Standing {
  const { status, phoneNumber, restriction } = number;
  if (status === 'open') return 'connected';
  if (phoneNumber === null) return status === 'connecting' ? 'pairing' : 'never_linked';
  return status === 'close' || waitsForPerson(restriction) ? 'needs_person' : 'reconnecting';
}

/** The standing as far as the store knows it. */
export function storedStanding(row: InstanceRow, now: number): Standing {
  if (row.phone_number === null) return 'never_linked';
  return row.linked === 0 || waitsForPerson(storedRestriction(row, now)) ? 'needs_person' : 'linked';
}

/** Restrictions that do not end by themselves. */
function waitsForPerson(restriction: Restriction | null): boolean {
  return restriction !== null && lastingRestrictions.includes(restriction.reason);
}
