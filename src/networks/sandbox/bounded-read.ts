import { setImmediate as othersTurn } from 'node:timers/promises';
import type { SandboxMessageRow } from '../../store/index.ts';
import type { SandboxMessage } from '../index.ts';
import { fromRow } from './message-row.ts';

/** A message as it is stored and as its recipient sees it. */
export interface ReadMessage {
  readonly row: SandboxMessageRow;
  readonly message: SandboxMessage;
}

/** About how many bytes of messages one answer holds. Reading this much and writing it as JSON takes a few milliseconds. */
const mostBytes = 512 * 1024;
/** How many rows are read at once; everything else in the process waits meanwhile. */
const rowsAtOnce = 20;
/** The size of a message's other fields and their names, besides content and file. */
const ownBytes = 200;

/**
 * Reads messages with `read` in small steps and lets other work run in between. Stops when all of `ids` are read or when the next message would make
 * the answer too large; at least one always fits. The messages are in the order of the ids.
 */
export async function readBounded(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<readonly SandboxMessageRow[]>,
): Promise<{ readonly messages: ReadMessage[]; readonly hasMore: boolean }> {
  const messages: ReadMessage[] = [];
  let bytes = 0;
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    if (start > 0) await othersTurn();
    const step = ids.slice(start, start + rowsAtOnce);
    const found = new Map((await read(step)).map((row) => [row.id, row]));
    for (const id of step) {
      const row = found.get(id);
      // Too old, or deleted since the ids were read.
      if (row === undefined) continue;
      bytes += ownBytes + Buffer.byteLength(row.content) + (row.file?.length ?? 0);
      if (messages.length > 0 && bytes > mostBytes) return { messages, hasMore: true };
      messages.push({ row, message: fromRow(row) });
    }
  }
  return { messages, hasMore: false };
}
