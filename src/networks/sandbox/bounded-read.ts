import { setImmediate as othersTurn } from 'node:timers/promises';
import type { StoredMessage } from './message-row.ts';

/** About how many bytes of messages one answer holds: so many take a few milliseconds to read and to write as JSON. */
const mostBytes = 512 * 1024;
/** What is read at once; everybody else's work waits for it. */
const rowsAtOnce = 25;
/** A message's fields besides content and file, with their names. */
const ownBytes = 200;

/**
 * Reads messages in small steps, others' work in between, until there are `limit` of them, or they fill an answer (one always fits), or
 * nothing comes any more. `read` gives the next ones, at most so many, after the last one that was read.
 */
export async function readBounded(
  limit: number,
  read: (count: number, last: StoredMessage | undefined) => Promise<readonly StoredMessage[]>,
): Promise<{ readonly rows: StoredMessage[]; readonly hasMore: boolean }> {
  const rows: StoredMessage[] = [];
  let bytes = 0;
  for (;;) {
    // One more than is wanted tells whether there are more.
    const count = Math.min(rowsAtOnce, limit + 1 - rows.length);
    const next = await read(count, rows.at(-1));
    for (const row of next) {
      bytes += ownBytes + Buffer.byteLength(row.content) + (row.file?.length ?? 0);
      if (rows.length === limit || (rows.length > 0 && bytes > mostBytes)) return { rows, hasMore: true };
      rows.push(row);
    }
    if (next.length < count) return { rows, hasMore: false };
    await othersTurn();
  }
}
