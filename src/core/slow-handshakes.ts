import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';

/** Enough for a first packet that is lost, which is sent again after a second. */
const attemptMs = 3_000;

/**
 * Lets each address of a name have enough time for a handshake. Node itself gives one up within half a second when there is a next one; that is often
 * of IPv6, which many machines do not have, so a server that is far away would never be reached. It counts for the thread that calls it.
 */
export function waitForSlowHandshakes(): void {
  setDefaultAutoSelectFamilyAttemptTimeout(attemptMs);
}
