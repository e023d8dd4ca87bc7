import pino, { type Logger } from 'pino';

/** A log that keeps its lines. */
export function createKeptLog(): { readonly log: Logger; readonly lines: readonly Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  return { log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) }), lines };
}
