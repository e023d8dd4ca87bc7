import { type BinaryNode, getBinaryNodeChildren, type WASocket } from 'baileys';
import type { WorkerLog } from '../library/library-log.ts';
import { takeOver } from '../library/web-socket.ts';

/** The only collection of the app state that Baileys reads for the gateway. It contains the name that recipients see when they do not know the number. */
const nameCollection = 'critical_block';

/**
 * Follows changes of the account's own name. Other notifications about the app state are only acknowledged, because Baileys would download
 * and decrypt whole collections that the gateway never uses. `sending/app-state` reads the nct salt from one of them.
 */
export function followName(
  sock: Pick<WASocket, 'ws' | 'ev' | 'sendNode' | 'resyncAppState' | 'authState'>,
  log: Pick<WorkerLog, 'error'>,
): void {
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
    // Baileys would read the first collection of several.
    if (getBinaryNodeChildren(node, 'collection').some(({ attrs }) => attrs.name === nameCollection)) readName();
  });

  const readName = () => {
    sock.resyncAppState([nameCollection], true).catch((error: unknown) => log.error(error, 'the name of a number could not be read'));
  };
  // The phone sends the key of its app state some time after it has linked.
  sock.ev.on('creds.update', ({ myAppStateKeyId }) => {
    if (myAppStateKeyId !== undefined) readName();
  });
  sock.ev.on('connection.update', ({ connection }) => {
    const { me, myAppStateKeyId } = sock.authState.creds;
    if (connection === 'open' && me?.name === undefined && myAppStateKeyId !== undefined) readName();
  });
}
