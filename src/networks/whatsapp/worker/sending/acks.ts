import type { BinaryNode, WASocket } from 'baileys';
import { systemClock, withTimeout } from '../../../../core/index.ts';

/**
 * The network's acknowledgement of a message; `none` when there was none. `code`: the error code, or null when the message was accepted. `phash`: the
 * network knows other devices than those the message was for. `refreshLid`: the recipient's LID has changed.
 */
export type Ack = { readonly code: string | null; readonly phash?: true; readonly refreshLid?: true } | 'none';

interface Waiting {
  readonly id: string;
  readonly to: string;
  readonly answer: (ack: Ack) => void;
}

const event = 'CB:ack,class:message';

export class Acks {
  readonly #ws: WASocket['ws'];
  readonly #waitMs: number;
  readonly #waiting = new Set<Waiting>();
  #closed = false;

  constructor(ws: WASocket['ws'], waitMs: number) {
    this.#ws = ws;
    this.#waitMs = waitMs;
    ws.on(event, this.#received);
    ws.on('close', this.#lost);
  }

  /**
   * Waits for the acknowledgement of a message to this JID; `none` when the time is up or the connection ends. Must be called before the message is
   * sent.
   */
  of(id: string, to: string): Promise<Ack> {
    if (this.#closed) return Promise.resolve('none');
    const { promise, resolve } = Promise.withResolvers<Ack>();
    const waiting: Waiting = { id, to, answer: resolve };
    this.#waiting.add(waiting);
    return withTimeout<Ack>(systemClock, this.#waitMs, promise, () => 'none').finally(() => this.#waiting.delete(waiting));
  }

  close(): void {
    this.#lost();
    this.#ws.off(event, this.#received);
    this.#ws.off('close', this.#lost);
  }

  readonly #received = ({ attrs }: BinaryNode): void => {
    const all = [...this.#waiting].filter(({ id }) => id === attrs.id);
    // Messages with the same id may have gone to several chats, and the network may name a chat by another form of its address.
    const named = all.filter(({ to }) => to === attrs.from);
    const meant = named.length === 0 && all.length === 1 ? all : named;
    const code = attrs.error ?? null;
    // Several wait when a device has asked for a message again while it is being sent anew. Which of the two was refused is then unknown.
    const isUnclear = code !== null && meant.length > 1;
    const ack: Ack = {
      code,
      ...(attrs.phash === undefined ? {} : { phash: true }),
      ...(attrs.refresh_lid === 'true' ? { refreshLid: true } : {}),
    };
    for (const waiting of isUnclear ? meant : meant.slice(0, 1)) {
      // The next acknowledgement of the same message belongs to the next attempt.
      this.#waiting.delete(waiting);
      waiting.answer(isUnclear ? 'none' : ack);
    }
  };

  readonly #lost = (): void => {
    this.#closed = true;
    for (const { answer } of this.#waiting) answer('none');
  };
}
