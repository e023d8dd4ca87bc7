import type { BinaryNode, WASocket } from 'baileys';

type Listener = (node: BinaryNode) => unknown;

/** Puts aside what Baileys does with a stanza that it tells of as `event`, such as `CB:receipt`. Gives the listeners, to be called where they are wanted. */
export function takeOver(ws: Pick<WASocket['ws'], 'listeners' | 'removeAllListeners'>, event: string): readonly Listener[] {
  const listeners = ws.listeners(event) as Listener[];
  ws.removeAllListeners(event);
  return listeners;
}
