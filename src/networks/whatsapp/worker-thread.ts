import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { programFile, StoreUnavailable } from '../../core/index.ts';
import type { MessageEvent, MessageNews } from '../index.ts';
import { MessageBatch } from './message-batch.ts';
import { packRecords, unpackRecords } from './packed-records.ts';
import type { CallKind, CallResult, Calls, FromWorker, LogLine, StoreResult, ToWorker, WorkerEvent, WorkerSetup } from './protocol.ts';

/** The main thread's side of a link. */
export interface LinkSide {
  told(event: WorkerEvent): void;
  /** The credential store of the link. */
  read(names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  write(records: ReadonlyMap<string, Uint8Array | null>, sent: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Reads kept messages. */
  recall(messageIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  forget(messageIds: readonly string[]): void;
  /** Rejects when another server owns the number. */
  mayLogIn(): Promise<void>;
  /** Stores what became of messages. */
  happened(news: readonly MessageNews[]): Promise<void>;
  /** The thread has died and the link has ended with it. */
  lost(): void;
}

interface PendingCall {
  resolve(value: Calls[CallKind]['answer']): void;
  reject(error: Error): void;
}

/**
 * Without limits, V8 sizes a thread's heap by the memory of the machine. Its young generation would grow to some 100 MB during many logins, more than
 * a hundred idle numbers need. With a limit on the old generation, V8 also collects it after a growth by half instead of fourfold; a number takes 0.2
 * MB of it.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1024 };
/** How long a thread may take to end by itself, in milliseconds; then it is terminated. */
const endingMs = 5_000;
/** A thread counts as hung after this many unanswered checks. */
const silentBeats = 4;

/** One worker thread and its links. Calls to it reject when it dies. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #batch: MessageBatch<ToWorker>;
  readonly #log: Logger;
  readonly #paired: () => void;
  readonly #callAnswered: () => void;
  readonly #links = new Map<number, LinkSide>();
  readonly #calls = new Map<number, PendingCall>();
  readonly #exited: Promise<void>;
  readonly #pulse: NodeJS.Timeout;
  #lastCall = 0;
  #beatsUnanswered = 0;
  #ending = false;
  #dead = false;

  /**
   * Starts the thread. `died` is called once if it ends without being asked to, `paired` for each number that is linked, and `answered` for each
   * answered call.
   */
  constructor(options: {
    setup: WorkerSetup;
    log: Logger;
    died: (thread: WorkerThread) => void;
    paired: () => void;
    answered: () => void;
  }) {
    this.#log = options.log;
    this.#paired = options.paired;
    this.#callAnswered = options.answered;
    this.#worker = new Worker(programFile('whatsapp-worker.js'), { workerData: options.setup, resourceLimits });
    this.#batch = new MessageBatch<ToWorker>(
      (messages, transfer) => this.#worker.postMessage(messages, transfer),
      (message, error) => this.#unpostable(message, error),
    );
    this.#worker.on('message', (messages: readonly FromWorker[]) => {
      this.#beatsUnanswered = 0;
      for (const message of messages) this.#received(message);
    });
    this.#worker.on('error', (error) => this.#log.error({ err: error }, 'a WhatsApp worker failed'));
    this.#pulse = setInterval(() => this.#checkPulse(), options.setup.timing.workerSilenceMs / silentBeats);
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        clearInterval(this.#pulse);
        this.#dead = true;
        resolve();
        if (!this.#ending) options.died(this);
        this.#failAll();
      });
    });
  }

  /** The number of its links. */
  get load(): number {
    return this.#links.size;
  }

  /** Begins a link; `link` is its number, unique in the process. */
  open({ link, instanceId, proxy }: { link: number; instanceId: string; proxy: string | null }, side: LinkSide): void {
    this.#links.set(link, side);
    if (this.#dead) queueMicrotask(() => this.#failAll());
    else this.#post({ type: 'open', link, instanceId, proxy });
  }

  /** Sets the version (its `client_revision`) for the connections that it begins from now on. */
  use(revision: number): void {
    if (!this.#dead) this.#post({ type: 'version', revision });
  }

  /** Which events of a link's messages it tells from now on. */
  follow(link: number, events: readonly MessageEvent[]): void {
    if (!this.#dead) this.#post({ type: 'follow', link, events });
  }

  /** The link has ended; its messages are ignored from now on. */
  release(link: number): void {
    this.#links.delete(link);
  }

  /** Rejects when the call fails in the worker or the worker dies. */
  call<Kind extends CallKind>(link: number, kind: Kind, argument: Calls[Kind]['with']): Promise<Calls[Kind]['answer']> {
    if (this.#dead) return Promise.reject(new WorkerGone());
    const call = ++this.#lastCall;
    return new Promise((resolve, reject) => {
      // The type of the answer follows from the kind of the call.
      this.#calls.set(call, { resolve: resolve as PendingCall['resolve'], reject });
      this.#post({ type: 'call', link, call, kind, with: argument } as ToWorker);
    });
  }

  /** Ends the thread. Its links must be closed before. */
  async end(): Promise<void> {
    this.#ending = true;
    if (!this.#dead) this.#post({ type: 'end' });
    const timer = setTimeout(() => void this.#worker.terminate(), endingMs);
    await this.#exited;
    clearTimeout(timer);
  }

  /** Counts unanswered checks instead of measuring time, so that threads do not count as hung after the machine has slept. */
  #checkPulse(): void {
    if (this.#beatsUnanswered++ < silentBeats) {
      this.#post({ type: 'beat' });
      return;
    }
    this.#log.error({ links: this.load }, 'a WhatsApp worker no longer responds and is ended');
    void this.#worker.terminate();
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    this.#batch.add(message, transfer);
  }

  #unpostable(message: ToWorker, error: unknown): void {
    if (message.type !== 'call') throw error;
    this.#answered(message.call, { ok: false, reason: reasonOf(error) });
  }

  #received(message: FromWorker): void {
    switch (message.type) {
      case 'told':
        if (message.event.type === 'paired') this.#paired();
        this.#links.get(message.link)?.told(message.event);
        return;
      case 'answer':
        this.#answered(message.call, message.result);
        this.#callAnswered();
        return;
      case 'read':
        this.#answerRead(message.link, message.request, (side) => side.read(message.names));
        return;
      case 'recall':
        this.#answerRead(message.link, message.request, (side) => side.recall(message.messageIds));
        return;
      case 'may_log_in':
        this.#store(message.link, message.request, (side) => side.mayLogIn());
        return;
      case 'forget':
        this.#links.get(message.link)?.forget(message.messageIds);
        return;
      case 'news':
        this.#store(message.link, message.request, (side) => side.happened(message.news));
        return;
      case 'write':
        this.#write(message);
        return;
      case 'beat':
        return;
      case 'log':
        this.#writeLine(message.level, message.line);
        return;
    }
  }

  #answered(call: number, result: CallResult): void {
    const pending = this.#calls.get(call);
    this.#calls.delete(call);
    if (result.ok) pending?.resolve(result.value);
    else pending?.reject(new Error(result.reason));
  }

  #answerRead(link: number, request: number, ask: (side: LinkSide) => Promise<ReadonlyMap<string, Uint8Array>>): void {
    const side = this.#links.get(link);
    const read = side === undefined ? Promise.reject(new Error('the link is over')) : ask(side);
    read.then(
      (records) => this.#stored(link, request, { ok: true, records: packRecords(records) }),
      (error: unknown) => this.#stored(link, request, failureOf(error)),
    );
  }

  #write({ link, request, records, sent }: Extract<FromWorker, { type: 'write' }>): void {
    this.#store(link, request, (side) => side.write(unpackRecords(records), unpackRecords(sent) as Map<string, Uint8Array>));
  }

  #store(link: number, request: number, work: (side: LinkSide) => Promise<void>): void {
    const side = this.#links.get(link);
    const written = side === undefined ? Promise.reject(new Error('the link is over')) : work(side);
    written.then(
      () => this.#stored(link, request, { ok: true, records: null }),
      (error: unknown) => this.#stored(link, request, failureOf(error)),
    );
  }

  #stored(link: number, request: number, result: StoreResult): void {
    if (this.#dead) return;
    const transfer = result.ok && result.records !== null ? [result.records.bytes.buffer] : [];
    this.#post({ type: 'stored', link, request, result }, transfer);
  }

  #writeLine(level: 'debug' | 'warn' | 'error', { instanceId, message, error }: LogLine): void {
    const fields = { ...(instanceId === null ? {} : { instance_id: instanceId }), ...(error === null ? {} : { error }) };
    this.#log[level](fields, message);
  }

  #failAll(): void {
    const calls = [...this.#calls.values()];
    const links = [...this.#links.values()];
    this.#calls.clear();
    this.#links.clear();
    for (const { reject } of calls) reject(new WorkerGone());
    for (const link of links) link.lost();
  }
}

/** The thread that held the link has died. */
class WorkerGone extends Error {
  constructor() {
    super('the WhatsApp worker has ended');
  }
}

function failureOf(error: unknown): StoreResult {
  return { ok: false, reason: reasonOf(error), away: error instanceof StoreUnavailable };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'failed';
}
