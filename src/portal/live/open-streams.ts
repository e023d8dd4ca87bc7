import { GatewayError } from '../../core/index.ts';
import type { EventStream } from './event-stream.ts';

/** One per browser and account, whatever the number of tabs; without HTTPS one per tab, of which a browser opens six at most. */
const mostPerPerson = 10;
/** Of one account, or of one list of numbers, by all who follow it together. */
const mostPerScope = 200;
const mostAltogether = 2000;
/** How long clients have to read what was sent before a stop. */
const stopGraceMs = 1000;

/** Whose stream it is, and what it shows (`EventScope.name`). */
interface Follower {
  readonly person: string;
  readonly scope: string;
}

/** The streams that are open, so that they are bounded and a stop can end them. */
export class OpenStreams {
  readonly #open = new Map<EventStream, Follower>();
  #stopping = false;
  #emptied: (() => void) | null = null;

  /** Opens a stream and keeps it until it has closed. Throws rate_limit_exceeded when the person, the account or all together have too many. */
  open(follower: Follower, begin: (closed: () => void) => EventStream): EventStream {
    const all = [...this.#open.values()];
    if (
      all.length >= mostAltogether ||
      all.filter(({ person }) => person === follower.person).length >= mostPerPerson ||
      all.filter(({ scope }) => scope === follower.scope).length >= mostPerScope
    ) {
      throw new GatewayError('rate_limit_exceeded', 'Too many live streams are open; close other pages of the portal.');
    }
    const stream = begin(() => {
      this.#open.delete(stream);
      if (this.#open.size === 0) this.#emptied?.();
    });
    this.#open.set(stream, follower);
    // Its browser reconnects, to the next server.
    if (this.#stopping) stream.end();
    return stream;
  }

  /** Ends every stream, also of those who do not read; resolves when none is open. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#open.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const stream of this.#open.keys()) stream.end();
    const late = setTimeout(() => {
      for (const stream of this.#open.keys()) stream.drop();
    }, stopGraceMs);
    await emptied;
    clearTimeout(late);
  }
}
