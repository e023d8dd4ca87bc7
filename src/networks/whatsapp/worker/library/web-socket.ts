import { type BinaryNode, S_WHATSAPP_NET, type WASocket } from 'baileys';

type Listener = (node: BinaryNode) => unknown;

/** The part of the `ws` library's socket that is used here. */
interface RawSocket {
  send(data: Uint8Array, callback?: (error?: Error) => void): void;
  close(): void;
  terminate(): void;
  once(event: 'close', listener: () => void): void;
  removeAllListeners(event: 'unexpected-response'): void;
}

/** How long the server may take to confirm that the connection closes, in milliseconds. */
const closingMs = 1_000;

function rawSocketOf(ws: WASocket['ws']): RawSocket | null {
  // It is protected only in its type.
  return (ws as unknown as { socket: RawSocket | null }).socket;
}

/**
 * Ends the connection when the upgrade is answered with an HTTP status (403, 503, a proxy's 407). `ws` does so when nobody listens; Baileys listens and
 * does nothing, so that the connection would stay open until its time limit.
 */
export function endWhenRefused(ws: WASocket['ws']): void {
  rawSocketOf(ws)?.removeAllListeners('unexpected-response');
}

/** Emitted when the connection is being ended from this side. */
export const closingEvent = 'closing';

/** Limits a close to one second when the server is silent. Baileys would wait half a minute before it reports the end. */
export function boundClosing(ws: WASocket['ws']): void {
  ws.close = async () => {
    ws.emit(closingEvent);
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
  // Before the library's own listener, which sends the hello.
  ws.prependListener('open', () => {
    const raw = rawSocketOf(ws);
    if (raw === null) return;
    const send = raw.send.bind(raw);
    let helloSent = false;
    raw.send = (data, callback) => {
      if (helloSent) {
        raw.send = send;
        holdFrames(ws, mayLogIn());
        raw.send(data, callback);
      } else send(data, callback);
      helloSent = true;
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

/** Removes Baileys' listeners for a stanza event such as `CB:receipt` and returns them, so that the caller can call them when they are wanted. */
export function takeOver(ws: Pick<WASocket['ws'], 'listeners' | 'removeAllListeners'>, event: string): readonly Listener[] {
  const listeners = ws.listeners(event) as Listener[];
  ws.removeAllListeners(event);
  return listeners;
}

/** WhatsApp's server when it is written without the empty user before it. */
const bare = S_WHATSAPP_NET.slice(1);

/**
 * Gives stanzas of WhatsApp's server one form of its address. The protocol has two, and Baileys compares with the other one, so that it would take a
 * notification of the server for one of a person.
 */
export function knowBareServer(ws: Pick<WASocket['ws'], 'prependListener'>): void {
  // Emitted before every other event of a stanza.
  ws.prependListener('frame', (frame: BinaryNode | Uint8Array) => {
    if (!(frame instanceof Uint8Array) && frame.attrs.from === bare) frame.attrs.from = S_WHATSAPP_NET;
  });
}
