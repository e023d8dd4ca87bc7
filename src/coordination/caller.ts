import type { Logger } from 'pino';
import { type Clock, GatewayError, isErrorCode, newId, type Timer } from '../core/index.ts';
import { type ReplyText, readReplyText } from './call-texts.ts';
import { type CallBounds, CallError, type CallFailure, type Calls } from './calls.ts';
import { checkSize, NotSent, TextTooLarge, type Wire } from './wire.ts';

interface Waiting {
  readonly nodeId: string;
  /** Ends the wait: with a reply, or without one. */
  end(reply: ReplyText | CallFailure): void;
}

/** The half of the calls that asks. */
export class Caller {
  readonly #wire: Wire;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #bounds: CallBounds;
  /** Where replies come to: a channel of this process alone. */
  readonly #replyTo = `replies:${newId()}`;
  readonly #waiting = new Map<string, Waiting>();
  readonly #toNode = new Map<string, number>();
  #calls = 0;
  #unlisten: (() => Promise<void>) | null = null;

  constructor(options: { wire: Wire; clock: Clock; log: Logger; bounds: CallBounds }) {
    this.#wire = options.wire;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#bounds = options.bounds;
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#wire.listen(this.#replyTo, (text) => this.#heard(text));
  }

  async stop(): Promise<void> {
    for (const waiting of [...this.#waiting.values()]) waiting.end('closed');
    await this.#unlisten?.();
    this.#unlisten = null;
  }

  readonly call: Calls['call'] = async (nodeId, method, payload, { deadlineMs, requestId = null, signal }) => {
    signal?.throwIfAborted();
    if (this.#unlisten === null) throw new CallError('closed', method.name);
    if (this.#waiting.size >= this.#bounds.outgoing || (this.#toNode.get(nodeId) ?? 0) >= this.#bounds.outgoingToOne) {
      throw new CallError('busy', method.name);
    }
    const id = `${this.#replyTo}:${++this.#calls}`;
    const text = JSON.stringify({ kind: 'call', id, replyTo: this.#replyTo, method: method.name, deadlineMs, requestId, payload });
    try {
      checkSize(text);
    } catch (error) {
      throw error instanceof TextTooLarge ? new CallError('too_large', method.name) : error;
    }

    const reply = await this.#ask({ id, nodeId, text, deadlineMs, signal });
    if (typeof reply === 'string') throw new CallError(reply, method.name);
    switch (reply.outcome) {
      case 'answer': {
        const answer = method.answer.safeParse(reply.answer);
        if (answer.success) return answer.data;
        this.#log.error({ node: nodeId, method: method.name, requestId, err: answer.error }, 'the answer of another node is not as agreed');
        throw new CallError('failed', method.name);
      }
      case 'gateway_error':
        // A code of another release, which this one could not answer with.
        if (!isErrorCode(reply.code)) throw new CallError('failed', method.name);
        throw new GatewayError(reply.code, reply.message, reply.details);
      default:
        throw new CallError(reply.outcome, method.name);
    }
  };

  #ask(call: {
    id: string;
    nodeId: string;
    text: string;
    deadlineMs: number;
    signal: AbortSignal | undefined;
  }): Promise<ReplyText | CallFailure> {
    const { id, nodeId, text, deadlineMs, signal } = call;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        forget();
        reject(signal?.reason);
      };
      const forget = () => {
        timer.cancel();
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(id);
        const left = (this.#toNode.get(nodeId) ?? 1) - 1;
        if (left === 0) this.#toNode.delete(nodeId);
        else this.#toNode.set(nodeId, left);
      };
      const end = (reply: ReplyText | CallFailure) => {
        // The first word counts: a reply may overtake what is known of its call.
        if (this.#waiting.get(id) !== waiting) return;
        forget();
        resolve(reply);
      };
      const waiting: Waiting = { nodeId, end };
      this.#waiting.set(id, waiting);
      this.#toNode.set(nodeId, (this.#toNode.get(nodeId) ?? 0) + 1);
      const timer: Timer = this.#clock.after(deadlineMs, () => end('timeout'));
      signal?.addEventListener('abort', onAbort);
      this.#wire.publish(channelOf(nodeId), text).then(
        (receivers) => {
          if (receivers === 0) end('nobody_there');
        },
        (error: unknown) => {
          if (error instanceof NotSent) end('unreachable');
          // Otherwise the call may have arrived, and its reply may come; the deadline bounds the wait.
          else this.#log.debug({ err: error, node: nodeId }, 'it is not known whether a call to another node was sent');
        },
      );
    });
  }

  #heard(text: string): void {
    const reply = readReplyText(text);
    if (reply === null) return void this.#log.warn('what came back from another node is not as agreed');
    // Not known: its caller waits no longer, or it came twice.
    this.#waiting.get(reply.id)?.end(reply);
  }
}

/** The channel on which a node hears calls. */
export function channelOf(nodeId: string): string {
  return `node:${nodeId}`;
}
