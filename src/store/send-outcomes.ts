import type { RequestRecord } from './schema.ts';

const hourMs = 60 * 60 * 1000;

/** How many sends of an account ended so within an hour. */
interface SendOutcome {
  /** Hours since 1970. */
  readonly hour: number;
  readonly account_id: string;
  /** The code of the failure; empty for accepted sends. */
  readonly code: string;
  readonly count: number;
}

/** The sends among these requests by account, hour and outcome; what was answered from an earlier send counts nowhere. */
export function outcomesOf(records: Iterable<RequestRecord>): ReadonlyMap<string, SendOutcome> {
  const counts = new Map<string, SendOutcome>();
  for (const { account_id, message_type, at, code, idempotency } of records) {
    if (account_id === null || message_type === null || (code === null && idempotency === 'replayed')) continue;
    const hour = Math.floor(at / hourMs);
    const key = `${account_id} ${hour} ${code ?? ''}`;
    counts.set(key, { hour, account_id, code: code ?? '', count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return counts;
}
