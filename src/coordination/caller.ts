import type { Logger } from 'pino';
import { type Clock, GatewayError, isErrorCode, newId, type Timer } from '../core/index.ts';
import { type CheckedText, type ReplyText, readReplyText } from './call-texts.ts';
import { type CallBounds, CallError, type CallFailure, type Calls } from './calls.ts';
import { checkSize, NotSent, TextTooLarge, type Wire } from './wire.ts';

/** How often the nodes that were called are asked whether they still work on it. */
const checkMs = 2_000;
/** A call whose node says nothing of it for so long is given up. */
const silenceMs = 10_000;

interface Waiting {
  readonly nodeId: string;
  /** When the node was last known to be there; monotonic milliseconds. */
  heardAt: number;
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
  #check: Timer | null = null;
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
    this.#check?.cancel();
    this.#check = null;
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
        this.#log.error(
          { node: nodeId, method: method.name, requestId, err: answer.error },
          'the answer from another node has an unexpected form',
        );
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
      const waiting: Waiting = { nodeId, heardAt: this.#clock.monotonic(), end };
      this.#waiting.set(id, waiting);
      this.#check ??= this.#clock.after(checkMs, () => this.#checkAll());
      this.#toNode.set(nodeId, (this.#toNode.get(nodeId) ?? 0) + 1);
      const timer: Timer = this.#clock.after(deadlineMs, () => end('timeout'));
      signal?.addEventListener('abort', onAbort);
      this.#wire.publish(channelOf(nodeId), text).then(
        (receivers) => {
          if (receivers === 0) end('nobody_there');
        },
        (error: unknown) => {
          if (error instanceof NotSent) end('unreachable');
          // Otherwise the call may have arrived, and its reply may come; the next check tells.
          else this.#log.debug({ err: error, node: nodeId }, 'it is not known whether a call to another node was sent');
        },
      );
    });
  }

  /** Asks each node for the calls that it has had for a while, and gives up those of which it says nothing. */
  #checkAll(): void {
    const now = this.#clock.monotonic();
    const asked = new Map<string, string[]>();
    for (const [id, waiting] of this.#waiting) {
      const silent = now - waiting.heardAt;
      if (silent >= silenceMs) waiting.end('lost');
      else if (silent >= checkMs) {
        const ids = asked.get(waiting.nodeId) ?? [];
        ids.push(id);
        asked.set(waiting.nodeId, ids);
      }
    }
    for (const [nodeId, ids] of asked) {
      this.#wire
        .publish(channelOf(nodeId), JSON.stringify({ kind: 'check', ids, replyTo: this.#replyTo }))
        .catch((error: unknown) => this.#log.debug({ err: error, node: nodeId }, 'calls to another node could not be checked'));
    }
    this.#check = this.#waiting.size === 0 ? null : this.#clock.after(checkMs, () => this.#checkAll());
  }

  #checked({ underWay, gone }: CheckedText): void {
    const now = this.#clock.monotonic();
    for (const id of underWay) {
      const waiting = this.#waiting.get(id);
      if (waiting !== undefined) waiting.heardAt = now;
    }
    for (const id of gone) this.#waiting.get(id)?.end('lost');
  }

  #heard(text: string): void {
    const reply = readReplyText(text);
    if (reply === null) return void this.#log.warn('a reply from another node has an unexpected form');
    if (reply.outcome === 'checked') return void this.#checked(reply);
    // Not known: its caller waits no longer, or it came twice.
    this.#waiting.get(reply.id)?.end(reply);
  }
}

/** The channel on which a node hears calls. */
export function channelOf(nodeId: string): string {
  return `node:${nodeId}`;
}
