import { type BinaryNode, getBinaryNodeChildren } from 'baileys';
import { takeOver } from '../library/web-socket.ts';
import type { Wire } from './link-memory.ts';

const event = 'CB:message';

/** What has to be done before the library gets a message; null when there is nothing. */
type Before = (node: BinaryNode) => Promise<void> | null;

/**
 * Has something done before the library reads a message and acknowledges it, after which the network delivers it no more. Later messages wait, so
 * that the order stays. If it fails, the connection ends and the network delivers the message again over the next one.
 */
export class IncomingMessages {
  readonly #wire: Wire;
  readonly #before: readonly Before[];
  readonly #readers: ReturnType<typeof takeOver>;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(wire: Wire, before: readonly Before[]) {
    this.#wire = wire;
    this.#before = before;
    this.#readers = takeOver(wire.sock.ws, event);
    wire.sock.ws.on(event, this.#received);
  }

  /** Messages that wait are dropped. */
  close(): void {
    this.#closed = true;
    this.#wire.sock.ws.off(event, this.#received);
  }

  readonly #received = (node: BinaryNode): void => {
    const { sock, log } = this.#wire;
    this.#noteTime(node);
    const works = this.#before.flatMap((before) => before(node) ?? []);
    if (works.length === 0 && this.#waiting === 0) {
      this.#pass(node);
      return;
    }
    this.#waiting++;
    this.#last = Promise.all([this.#last, ...works])
      .then(() => this.#pass(node))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'what came with a message could not be stored; the message comes again over the next connection');
        void sock.end(undefined);
      })
      .finally(() => this.#waiting--);
  };

  /** Notes when a message was sent, for those who see its content. */
  #noteTime(node: BinaryNode): void {
    const time = Number(node.attrs.t);
    if (!Number.isInteger(time)) return;
    for (const { content } of getBinaryNodeChildren(node, 'enc')) {
      if (content instanceof Uint8Array) this.#wire.memory.sentAt.set(content, time);
    }
  }

  #pass(node: BinaryNode): void {
    if (this.#closed) return;
    for (const read of this.#readers) read(node);
  }
}
