import { GatewayError } from '../../core/index.ts';
import type { EventStream } from './event-stream.ts';

/** One per page; a browser itself opens six at most to one server, unless it speaks HTTP/2 to a proxy. */
const mostPerSession = 10;
const mostAltogether = 2000;
/** How long clients have to read what was sent before a stop. */
const stopGraceMs = 1000;

/** The streams that are open, so that they are bounded and a stop can end them. */
export class OpenStreams {
  readonly #sessions = new Map<string, Set<EventStream>>();
  #count = 0;
  #stopping = false;
  #emptied: (() => void) | null = null;

  /** Opens a stream of the session and keeps it until it has closed. Throws rate_limit_exceeded when there are too many. */
  open(sessionId: string, begin: (closed: () => void) => EventStream): EventStream {
    const ofSession = this.#sessions.get(sessionId) ?? new Set();
    if (ofSession.size >= mostPerSession || this.#count >= mostAltogether) {
      throw new GatewayError('rate_limit_exceeded', 'Too many live streams are open; close other pages of the portal.');
    }
    const stream = begin(() => {
      if (!ofSession.delete(stream)) return;
      this.#count--;
      if (ofSession.size === 0) this.#sessions.delete(sessionId);
      if (this.#count === 0) this.#emptied?.();
    });
    ofSession.add(stream);
    this.#sessions.set(sessionId, ofSession);
    this.#count++;
    // Its browser comes back, to whoever serves then.
    if (this.#stopping) stream.end();
    return stream;
  }

  /** Ends every stream, also of those who do not read; resolves when none is open. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#count === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const stream of this.#all()) stream.end();
    const late = setTimeout(() => {
      for (const stream of this.#all()) stream.drop();
    }, stopGraceMs);
    await emptied;
    clearTimeout(late);
  }

  #all(): EventStream[] {
    return [...this.#sessions.values()].flatMap((streams) => [...streams]);
  }
}
