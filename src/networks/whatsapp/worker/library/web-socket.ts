import type { WASocket } from 'baileys';

/** The part of the `ws` library's socket that is used here. */
interface RawSocket {
  send(data: Uint8Array, callback?: (error?: Error) => void): void;
  close(): void;
  terminate(): void;
  once(event: 'close', listener: () => void): void;
}

/** How long the other side may take to answer that the connection closes, in milliseconds. */
const closingMs = 1_000;

function rawSocketOf(ws: WASocket['ws']): RawSocket | null {
  // Only its type makes it protected.
  return (ws as unknown as { socket: RawSocket | null }).socket;
}

/** Bounds a close to one second when the other side is silent. Baileys reports the end only after it, and would wait half a minute. */
export function boundClosing(ws: WASocket['ws']): void {
  ws.close = async () => {
    const raw = rawSocketOf(ws);
    if (raw === null) return;
    const closed = new Promise<void>((resolve) => raw.once('close', resolve));
    const timer = setTimeout(() => raw.terminate(), closingMs);
    raw.close();
    await closed;
    clearTimeout(timer);
  };
}

/** Holds everything that is sent from now on until the promise is fulfilled. When it is rejected, those sends fail. */
export function holdFrames(ws: WASocket['ws'], until: Promise<void>): void {
  const raw = rawSocketOf(ws);
  if (raw === null) return;
  const send = raw.send.bind(raw);
  const held: [Uint8Array, ((error?: Error) => void) | undefined][] = [];
  raw.send = (data, callback) => void held.push([data, callback]);
  until.then(
    () => {
      raw.send = send;
      for (const [data, callback] of held) send(data, callback);
    },
    () => {
      for (const [, callback] of held) callback?.(new Error('what had to be stored before could not be'));
    },
  );
}
