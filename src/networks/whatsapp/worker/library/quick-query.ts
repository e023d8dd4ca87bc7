import { assertNodeErrorFree, type BinaryNode, type WASocket } from 'baileys';
import { systemClock, withTimeout } from '../../../../core/index.ts';
import { closingEvent } from './web-socket.ts';

/**
 * Asks the network like Baileys' `query` (7.0.0-rc14), which makes six errors with the texts of their stacks for the time limits of every question:
 * a tenth of the work for a first message. Rejects when the network answers with an error (its code is in `data`), does not answer in time, or the
 * connection ends before it does.
 */
export function quickQuery(sock: Pick<WASocket, 'ws' | 'ev' | 'sendNode' | 'generateMessageTag'>, usualMs: number): WASocket['query'] {
  const { ws, ev } = sock;
  const waiting = new Set<(reason: Error) => void>();
  const ended = () => {
    for (const reject of waiting) reject(new Error('the connection ended before the network answered'));
  };
  // Not `close` of the socket: Baileys removes its listeners before it ends a connection by itself.
  ws.on(closingEvent, ended);
  ev.on('connection.update', ({ connection }) => {
    if (connection === 'close') ended();
  });
  return async (node: BinaryNode, withinMs = usualMs) => {
    const id = node.attrs.id ?? sock.generateMessageTag();
    const answered = `TAG:${id}`;
    const { promise, resolve, reject } = Promise.withResolvers<BinaryNode>();
    ws.on(answered, resolve);
    waiting.add(reject);
    try {
      sock.sendNode({ ...node, attrs: { ...node.attrs, id } }).catch(reject);
      const answer = await withTimeout(systemClock, withinMs, promise, () => {
        throw new Error('the network did not answer in time');
      });
      assertNodeErrorFree(answer);
      return answer;
    } finally {
      ws.off(answered, resolve);
      waiting.delete(reject);
    }
  };
}
