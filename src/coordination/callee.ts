import type { Logger } from 'pino';
import { type Clock, GatewayError, newId, type Timer, withTimeout } from '../core/index.ts';
import { type CallText, type CheckedText, type CheckText, type ReplyText, readNodeText } from './call-texts.ts';
import { type Handler, NotUnderstood } from './calls.ts';
import { checkSize, type Wire } from './wire.ts';

/** How many call ids are remembered, so that a call that arrives twice is done once. */
const rememberedCalls = 20_000;
/** A reply that found nobody (the caller's connection may be coming back) is sent again this often, until the caller's deadline. */
const replyAgainMs = 250;
/** How often this process looks whether it was halted, and for how long it must have been for its calls to be suspect. */
const tickMs = 1000;
const haltMs = 3000;

interface Options {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly log: Logger;
  readonly channel: string;
  readonly handlers: readonly Handler[];
  /** How many calls may be answered at once. */
  readonly most: number;
}

/**
 * The half of the calls that answers, under one node's id.
 *
 * A process that was halted (SIGSTOP, a suspended machine) finds calls whose callers have given up long ago, and perhaps made them
 * elsewhere. It refuses them: what it hears is trusted again when it hears a mark that it sent to itself afterwards.
 */
export class Callee {
  readonly #options: Options;
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #seen = new Set<string>();
  /** The calls that are being answered, by id, and until when somebody waits for them. */
  readonly #underWay = new Map<string, { readonly work: Promise<void>; readonly until: number }>();
  readonly #stop = Promise.withResolvers<void>();
  #unlisten: (() => Promise<void>) | null = null;
  #stopped = false;
  #tick: Timer | null = null;
  #tickedAt: number;
  /** The mark that is waited for; null: what arrives is trusted. */
  #mark: string | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#handlers = new Map(options.handlers.map((handler) => [handler.name, handler]));
    this.#tickedAt = options.clock.monotonic();
  }

  async start(): Promise<void> {
    this.#watch();
    this.#unlisten = await this.#options.wire.listen(this.#options.channel, (text) => this.#heard(text));
  }

  /** Takes no further calls; resolves when those under way are answered, or nobody waits for them any longer. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    this.#stopped = true;
    this.#tick?.cancel();
    // A reply that finds nobody is not sent again.
    this.#stop.resolve();
    const underWay = [...this.#underWay.values()];
    const answered = Promise.all(underWay.map(({ work }) => work)).then(() => undefined);
    const longest = Math.max(0, ...underWay.map(({ until }) => until)) - clock.monotonic();
    await withTimeout(clock, longest, answered, () => undefined);
    // Until here it says of the calls under way that they are.
    await this.#unlisten?.();
    this.#unlisten = null;
  }

  #watch(): void {
    this.#tick = this.#options.clock.after(tickMs, () => {
      this.#noticeHalt();
      this.#tickedAt = this.#options.clock.monotonic();
      // The mark may have been lost.
      if (this.#mark !== null) this.#sendMark();
      this.#watch();
    });
  }

  /** Both the timer and what arrives look for a halt: either may come first afterwards. */
  #noticeHalt(): void {
    const now = this.#options.clock.monotonic();
    const halted = now - this.#tickedAt;
    if (halted < haltMs) return;
    this.#tickedAt = now;
    this.#mark = newId();
    this.#options.log.warn(
      { haltedMs: Math.round(halted) },
      'this process was halted; calls that other nodes made in that time are refused',
    );
    this.#sendMark();
  }

  #sendMark(): void {
    const { wire, channel, log } = this.#options;
    wire
      .publish(channel, JSON.stringify({ kind: 'mark', id: this.#mark }))
      .catch((error: unknown) => log.debug({ err: error }, 'a mark was not sent'));
  }

  #heard(text: string): void {
    const { log, most } = this.#options;
    this.#noticeHalt();
    const said = readNodeText(text);
    if (said === null) return void log.warn('a call from another node has an unexpected form');
    if (said.kind === 'mark') {
      if (said.id === this.#mark) this.#mark = null;
      return;
    }
    if (said.kind === 'check') return void this.#check(said);
    if (!this.#isNew(said.id)) return;
    if (this.#stopped) return void this.#refuse(said, 'nobody_there');
    const handler = this.#handlers.get(said.method);
    if (this.#mark !== null || this.#underWay.size >= most) this.#refuse(said, 'busy');
    else if (handler === undefined) this.#refuse(said, 'not_understood');
    else this.#begin(said, handler);
  }

  #isNew(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    // A set goes through its members in the order in which they were added.
    if (this.#seen.size > rememberedCalls) {
      const { value: oldest } = this.#seen.values().next();
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
    return true;
  }

  #check({ ids, replyTo }: CheckText): void {
    const checked: CheckedText = {
      outcome: 'checked',
      underWay: ids.filter((id) => this.#underWay.has(id)),
      gone: ids.filter((id) => !this.#underWay.has(id)),
    };
    const { wire, log } = this.#options;
    wire.publish(replyTo, JSON.stringify(checked)).catch((error: unknown) => log.debug({ err: error }, 'a check was not answered'));
  }

  /** Sent once: a caller that misses it learns from the next check that the call is gone. */
  #refuse({ id, replyTo, method, requestId }: CallText, outcome: 'busy' | 'not_understood' | 'nobody_there'): void {
    const { wire, log } = this.#options;
    wire
      .publish(replyTo, JSON.stringify({ id, outcome } satisfies ReplyText))
      .catch((error: unknown) => log.debug({ err: error, method, requestId }, 'a refusal was not sent'));
  }

  #begin(call: CallText, handler: Handler): void {
    const until = this.#options.clock.monotonic() + call.deadlineMs;
    const work = this.#answer(call, handler, until);
    this.#underWay.set(call.id, { work, until });
    void work.then(() => this.#underWay.delete(call.id));
  }

  async #answer(call: CallText, handler: Handler, until: number): Promise<void> {
    const { id, requestId, deadlineMs } = call;
    let reply: ReplyText;
    try {
      reply = { id, outcome: 'answer', answer: await handler.handle(call.payload, { requestId, deadlineMs }) };
    } catch (error) {
      reply = this.#failure(call, error);
    }
    await this.#reply(call, reply, until);
  }

  #failure({ id, method, requestId }: CallText, error: unknown): ReplyText {
    if (error instanceof GatewayError) {
      const { code, message, details } = error;
      return { id, outcome: 'gateway_error', code, message, ...(details === undefined ? {} : { details: { ...details } }) };
    }
    this.#options.log.error({ err: error, method, requestId }, 'a call from another node failed');
    return { id, outcome: error instanceof NotUnderstood ? 'not_understood' : 'failed' };
  }

  /** Never fails: what cannot be told is noted in the log. */
  async #reply(call: CallText, reply: ReplyText, until: number): Promise<void> {
    const { wire, clock, log } = this.#options;
    const note = { method: call.method, requestId: call.requestId };
    let text: string;
    try {
      text = JSON.stringify(reply);
      checkSize(text);
    } catch (error) {
      log.error({ ...note, err: error }, 'the answer to another node cannot be sent');
      text = JSON.stringify({ id: reply.id, outcome: 'failed' } satisfies ReplyText);
    }
    for (;;) {
      const receivers = await wire.publish(call.replyTo, text).catch(() => 0);
      if (receivers > 0) return;
      if (this.#stopped || clock.monotonic() + replyAgainMs >= until) break;
      const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
      const timer = clock.after(replyAgainMs, goOn);
      await Promise.race([pause, this.#stop.promise]);
      timer.cancel();
    }
    log.debug(note, 'the caller no longer waits for the answer');
  }
}
