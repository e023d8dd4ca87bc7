import { type BinaryNode, getBinaryNodeChildren, type WASocket } from 'baileys';
import { takeOver } from '../library/stanza-listeners.ts';

const event = 'CB:message';

/** What has to be done before the library gets a message; null when there is nothing. */
type Before = (node: BinaryNode) => Promise<void> | null;

interface MessageGateOptions {
  readonly ws: WASocket['ws'];
  readonly before: Before;
  /** The library does not get the message, so it is not acknowledged, and the network delivers it again over the next connection. */
  failed(error: unknown): void;
}

/**
 * Has something done before the library reads a message and acknowledges it, after which the network delivers it no more. Later messages wait, so
 * that the order stays.
 */
export class MessageGate {
  readonly #options: MessageGateOptions;
  readonly #readers: ReturnType<typeof takeOver>;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: MessageGateOptions) {
    this.#options = options;
    this.#readers = takeOver(options.ws, event);
    options.ws.on(event, this.#received);
  }

  /** Messages that wait are dropped. */
  close(): void {
    this.#closed = true;
    this.#options.ws.off(event, this.#received);
  }

  readonly #received = (node: BinaryNode): void => {
    const { before } = this.#options;
    const first = before(node);
    if (first === null && this.#waiting === 0) {
      this.#pass(node);
      return;
    }
    this.#waiting++;
    this.#last = Promise.all([first, this.#last])
      .then(() => this.#pass(node))
      .catch(this.#options.failed)
      .finally(() => this.#waiting--);
  };

  #pass(node: BinaryNode): void {
    if (this.#closed) return;
    for (const read of this.#readers) read(node);
  }
}

/** All of these, at the same time. */
export function allOf(all: readonly Before[]): Before {
  return (node) => {
    const begun = all.map((before) => before(node)).filter((work) => work !== null);
    return begun.length === 0 ? null : Promise.all(begun).then(() => undefined);
  };
}

/** Notes when a message was sent, for those who see its content. Nothing waits for this. */
export function noteTime(node: BinaryNode, sentAt: WeakMap<Uint8Array, number>): null {
  const time = Number(node.attrs.t);
  if (!Number.isInteger(time)) return null;
  for (const { content } of getBinaryNodeChildren(node, 'enc')) if (content instanceof Uint8Array) sentAt.set(content, time);
  return null;
}
