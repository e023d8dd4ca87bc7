import type { BinaryNode } from 'baileys';
import { type Clock, withTimeout } from '../../../../core/index.ts';
import type { SendingSocket } from './socket.ts';

/**
 * The network's acknowledgement of a message; `none` when there was none. `code`: the error code, or null when the message was accepted. `drifted`:
 * the network knows other devices than those the message was for. `staleLid`: the recipient's LID has changed.
 */
export type Acknowledgement = { readonly code: string | null; readonly drifted?: true; readonly staleLid?: true } | 'none';

interface Waiting {
  readonly to: string;
  readonly answer: (acknowledgement: Acknowledgement) => void;
}

const event = 'CB:ack,class:message';

/** Receives the acknowledgements of one connection. */
export class Acknowledgements {
  readonly #ws: SendingSocket['ws'];
  readonly #clock: Clock;
  readonly #waitMs: number;
  readonly #waiting = new Map<string, Waiting[]>();
  #closed = false;

  constructor(ws: SendingSocket['ws'], clock: Clock, waitMs: number) {
    this.#ws = ws;
    this.#clock = clock;
    this.#waitMs = waitMs;
    ws.on(event, this.#heard);
    ws.on('close', this.#lost);
  }

  /**
   * Waits for the acknowledgement of a message to this JID; `none` when the time is up or the connection ends. Must be called before the message is
   * sent.
   */
  of(id: string, to: string): Promise<Acknowledgement> {
    if (this.#closed) return Promise.resolve('none');
    const { promise, resolve } = Promise.withResolvers<Acknowledgement>();
    const waiting: Waiting = { to, answer: resolve };
    const others = this.#waiting.get(id);
    if (others === undefined) this.#waiting.set(id, [waiting]);
    else others.push(waiting);
    return withTimeout<Acknowledgement>(this.#clock, this.#waitMs, promise, () => 'none').finally(() => this.#remove(id, waiting));
  }

  close(): void {
    this.#lost();
    this.#ws.off(event, this.#heard);
    this.#ws.off('close', this.#lost);
  }

  readonly #heard = ({ attrs }: BinaryNode): void => {
    const all = attrs.id === undefined ? undefined : this.#waiting.get(attrs.id);
    if (all === undefined) return;
    // Messages with the same id may have gone to several chats, and the network may name a chat by another form of its address.
    const named = all.filter(({ to }) => to === attrs.from);
    const meant = named.length === 0 && all.length === 1 ? [...all] : named;
    const code = attrs.error ?? null;
    // Several wait when a device has asked for a message again while it is being sent anew. Which of the two was refused is then unknown.
    const answer =
      code !== null && meant.length > 1
        ? 'none'
        : {
            code,
            ...(attrs.phash === undefined ? {} : { drifted: true as const }),
            ...(attrs.refresh_lid === 'true' ? { staleLid: true as const } : {}),
          };
    for (const waiting of answer === 'none' ? meant : meant.slice(0, 1)) {
      // The next acknowledgement of the same message belongs to the next attempt.
      all.splice(all.indexOf(waiting), 1);
      waiting.answer(answer);
    }
  };

  readonly #lost = (): void => {
    this.#closed = true;
    for (const all of this.#waiting.values()) for (const { answer } of all) answer('none');
  };

  #remove(id: string, waiting: Waiting): void {
    const all = this.#waiting.get(id);
    if (all === undefined) return;
    const place = all.indexOf(waiting);
    if (place !== -1) all.splice(place, 1);
    if (all.length === 0) this.#waiting.delete(id);
  }
}
