import type { BinaryNode, WASocket } from 'baileys';

type Listener = (node: BinaryNode) => unknown;

/** Removes Baileys' listeners for a stanza event such as `CB:receipt` and returns them, so that the caller can call them when they are wanted. */
export function takeOver(ws: Pick<WASocket['ws'], 'listeners' | 'removeAllListeners'>, event: string): readonly Listener[] {
  const listeners = ws.listeners(event) as Listener[];
  ws.removeAllListeners(event);
  return listeners;
}
