import { isoOrNull } from '../../core/index.ts';
import { type Restriction, restrictionReasons } from '../../networks/index.ts';
import type { HistoryRow } from '../../store/index.ts';
import type { Standing } from './standing.ts';

// Which events change whether a number is connected, and since when one has.

const states: ReadonlySet<string> = new Set([
  'linked',
  'lost',
  'parked',
  'taken_back',
  'unlinked',
  'banned',
  'refused',
  'disconnected',
  'deleted',
]);

/** The columns of an instance that hold what last changed whether it is connected. */
export interface StateColumns {
  /** The event; `back` when a lost connection is there again. null: nothing yet. */
  readonly state_event: string | null;
  readonly state_at: number | null;
}

/** Whether a number is connected after the event, or is not. */
export const isState = ({ event }: Pick<HistoryRow, 'event'>): boolean => states.has(event);

export const lastMoment = ({ ended_at, last_at }: Pick<HistoryRow, 'ended_at' | 'last_at'>): number => ended_at ?? last_at;

export function stateColumns(row: HistoryRow): StateColumns {
  return { state_event: row.event === 'lost' && row.ended_at !== null ? 'back' : row.event, state_at: lastMoment(row) };
}

/** Since when a number stands so, and the event that brought it there; nulls where that is not known, as for an event that a crash has lost. */
export function stateFor({ state_event: event, state_at: since }: StateColumns, standing: Standing) {
  return event !== null && fits(event, standing) ? { event, since } : { event: null, since: null };
}

/** Why a number is not connected, in the words of its history. */
const stateReasons = ['unlinked', 'banned', 'refused', 'disconnected', 'lost'] as const;

/** Every reason why a number cannot send, or not as usual. */
export const numberReasons = [...restrictionReasons, ...stateReasons] as const;

/** Why a number cannot send, or not as usual, and since when it stands so. */
export function causeOf(row: StateColumns, restriction: Restriction | null, standing: Standing) {
  const { event, since } = stateFor(row, standing);
  // A parked number is restricted; its event alone shows it while the restriction is still being stored.
  const reason = restriction?.reason ?? (event === 'parked' ? 'replaced' : stateReasons.find((one) => one === event));
  return { reason: reason ?? null, since: isoOrNull(since) };
}

function fits(event: string, standing: Standing): boolean {
  const good = event === 'linked' || event === 'taken_back' || event === 'back';
  switch (standing) {
    case 'connected':
      return good;
    case 'reconnecting':
      return event === 'lost';
    case 'needs_person':
      return !good;
    case 'linked':
      return true;
    case 'pairing':
    case 'never_linked':
      return false;
  }
}
