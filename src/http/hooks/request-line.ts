import type { Answered } from './request-log.ts';

/** The fields of a request's line in the program's log (docs/metrics.md): neither content nor anybody's phone number or address. */
function lineOf({ route, record }: Answered) {
  const { request_id, method, status, code, duration_ms, account_id, instance_id, message_type, message_id, idempotency } = record;
  return { request_id, method, route, status, code, duration_ms, account_id, instance_id, message_type, message_id, idempotency };
}

/** What writes one line for each answered request; undefined unless the log is asked for that much (`LOG_LEVEL=debug`). */
export function requestLines(log: {
  isLevelEnabled(level: 'debug'): boolean;
  debug(fields: object, message: string): void;
}): ((answered: Answered) => void) | undefined {
  return log.isLevelEnabled('debug') ? (answered) => log.debug(lineOf(answered), 'request') : undefined;
}
