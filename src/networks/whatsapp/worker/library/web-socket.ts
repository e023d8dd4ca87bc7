import type { WASocket } from 'baileys';

/** The part of the `ws` library's socket that is used here. */
interface RawSocket {
  send(data: Uint8Array, callback?: (error?: Error) => void): void;
  close(): void;
  terminate(): void;
  once(event: 'close', listener: () => void): void;
}

/** How long the server may take to confirm that the connection closes, in milliseconds. */
const closingMs = 1_000;

function rawSocketOf(ws: WASocket['ws']): RawSocket | null {
  // It is protected only in its type.
  return (ws as unknown as { socket: RawSocket | null }).socket;
}

/** Limits a close to one second when the server is silent. Baileys would wait half a minute before it reports the end. */
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

/**
 * Holds back everything after the first frame of the connection until it may be sent. The first one is the hello; the second is the login, by which
 * the network disconnects whoever is connected with the same credentials.
 */
export function holdLogin(ws: WASocket['ws'], mayLogIn: () => Promise<void>): void {
  // Before the library's own listener, which says hello.
  ws.prependListener('open', () => {
    const raw = rawSocketOf(ws);
    if (raw === null) return;
    const send = raw.send.bind(raw);
    let saidHello = false;
    raw.send = (data, callback) => {
      if (saidHello) {
        raw.send = send;
        holdFrames(ws, mayLogIn());
        raw.send(data, callback);
      } else send(data, callback);
      saidHello = true;
    };
  });
}

/** Holds back everything sent from now on until the promise is fulfilled. If it is rejected, those sends fail. */
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
