/** Why a server should get no requests now, other than its store. */
export const notReadyReasons = ['starting', 'stopping', 'draining', 'no_lease'] as const;
export type NotReadyReason = (typeof notReadyReasons)[number];

/** What works only in part: without Redis rate limits are counted by each server for itself, and other servers are not reached. */
export const degradations = ['redis'] as const;

/** What `/health` and `/health/ready` tell of this process. */
export interface Readiness {
  /** null: it may get requests as long as its store works. */
  notReady(): NotReadyReason | null;
  degraded(): readonly (typeof degradations)[number][];
}
