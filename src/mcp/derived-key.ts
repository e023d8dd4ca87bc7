import { fingerprint } from '../messages/index.ts';
import type { Db } from '../store/index.ts';
import { selectUsedKeys } from './queries.ts';

/** A call is the same one for this long after the first, and for less than twice as long. */
const periodMs = 10 * 60 * 1000;

/** Who calls which tool with what. */
export interface SendCall {
  readonly accountId: string;
  readonly keyId: string | null;
  readonly tool: string;
  readonly arguments: object;
}

/**
 * The idempotency key of a send without one: the API key, the tool and its arguments, at this time. A repeat soon afterwards has the key of the
 * first call, also in the next period and at a server whose clock is behind.
 */
export async function derivedKey(db: Db, call: SendCall, now: number): Promise<string> {
  const digest = fingerprint(`mcp ${call.keyId} ${call.tool}`, call.arguments);
  const keyOf = (period: number) => `mcp:${Buffer.from(digest, 'base64').toString('base64url')}:${period}`;
  const period = Math.floor(now / periodMs);
  const own = keyOf(period);
  const near = [own, keyOf(period + 1), keyOf(period - 1)];
  const used = await selectUsedKeys(db, call.accountId, near);
  return near.find((key) => used.includes(key)) ?? own;
}
