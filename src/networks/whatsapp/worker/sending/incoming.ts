import { type BinaryNode, getBinaryNodeChildren } from 'baileys';
import { takeOver } from '../library/web-socket.ts';
import type { Wire } from './link-memory.ts';

/** What has to be done before the library gets a stanza; null when there is nothing. */
type Before = (node: BinaryNode) => Promise<void> | null;

/**
 * Has something done before the library reads a message or a notification and acknowledges it, after which the network delivers it no more. Later ones
 * wait, so that the order stays. If it fails, the connection ends and the network delivers the stanza again over the next one.
 */
export class IncomingStanzas {
  readonly #wire: Wire;
  readonly #event: string;
  readonly #before: readonly Before[];
  readonly #readers: ReturnType<typeof takeOver>;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(wire: Wire, event: 'CB:message' | 'CB:notification', before: readonly Before[]) {
    this.#wire = wire;
    this.#event = event;
    this.#before = before;
    this.#readers = takeOver(wire.sock.ws, event);
    wire.sock.ws.on(event, this.#received);
  }

  /** Stanzas that wait are dropped. */
  close(): void {
    this.#closed = true;
    this.#wire.sock.ws.off(this.#event, this.#received);
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
        log.warn({ err: error }, `what came with a ${node.tag} could not be stored; it comes again over the next connection`);
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
