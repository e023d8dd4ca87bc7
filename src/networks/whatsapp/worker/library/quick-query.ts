import { assertNodeErrorFree, type BinaryNode, type WASocket } from 'baileys';
import { systemClock, withTimeout } from '../../../../core/index.ts';

/**
 * Asks the network like Baileys' `query` (7.0.0-rc14), which makes six errors with the texts of their stacks for the time limits of every question:
 * a tenth of the work for a first message. Rejects when the network answers with an error (its code is in `data`), does not answer in time, or the
 * connection ends before it does.
 */
export function quickQuery(sock: Pick<WASocket, 'ws' | 'sendNode' | 'generateMessageTag'>, usualMs: number): WASocket['query'] {
  const { ws } = sock;
  return async (node: BinaryNode, withinMs = usualMs) => {
    const id = node.attrs.id ?? sock.generateMessageTag();
    const answered = `TAG:${id}`;
    const { promise, resolve, reject } = Promise.withResolvers<BinaryNode>();
    const ended = (error?: Error) => reject(error ?? new Error('the connection ended before the network answered'));
    ws.on(answered, resolve);
    ws.on('close', ended);
    ws.on('error', ended);
    try {
      sock.sendNode({ ...node, attrs: { ...node.attrs, id } }).catch(reject);
      const answer = await withTimeout(systemClock, withinMs, promise, () => {
        throw new Error('the network did not answer in time');
      });
      assertNodeErrorFree(answer);
      return answer;
    } finally {
      ws.off(answered, resolve);
      ws.off('close', ended);
      ws.off('error', ended);
    }
  };
}
