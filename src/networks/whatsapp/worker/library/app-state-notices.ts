import type { BinaryNode, WASocket } from 'baileys';
import { takeOver } from './web-socket.ts';

/**
 * Only acknowledges notifications about the app state, in the place of Baileys, which would download and decrypt the collection past the number's proxy
 * and keep its sends waiting meanwhile. What sends need is read from it in `sending/app-state`.
 */
export function acknowledgeAppStateNotices(sock: Pick<WASocket, 'ws' | 'sendNode'>): void {
  const event = 'CB:notification';
  const listeners = takeOver(sock.ws, event);
  sock.ws.on(event, (node: BinaryNode) => {
    if (node.attrs.type !== 'server_sync') {
      for (const listener of listeners) listener(node);
      return;
    }
    const { id = '', from = '', type } = node.attrs;
    // A closing connection cannot acknowledge anything; the network will repeat the notification.
    sock.sendNode({ tag: 'ack', attrs: { id, to: from, class: 'notification', type } }).catch(() => undefined);
  });
}
