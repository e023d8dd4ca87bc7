import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { CannotOpen, programFile, StoreUnavailable } from '../../core/index.ts';
import type { MessageEvent } from '../index.ts';
import type {
  CallKind,
  CallResult,
  Calls,
  FromWorker,
  LogLine,
  StoreRequest,
  StoreResult,
  ToWorker,
  WorkerEvent,
  WorkerSetup,
} from './protocol.ts';
import { MessageBatch, packRecords } from './thread-messages.ts';

/** The main thread's side of a link. */
export interface LinkSide {
  onWorkerEvent(event: WorkerEvent): void;
  /** Carries out a request to the link's credential store. Its answer has the records that were read. */
  store(request: StoreRequest): Promise<ReadonlyMap<string, Uint8Array> | null>;
  /** The thread has died and the link has ended with it. */
  lost(): void;
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

interface WorkerThreadOptions {
  readonly setup: WorkerSetup;
  readonly log: Logger;
  /** Called once if it ends without being asked to. */
  died(thread: WorkerThread): void;
  /** Called for each number that is linked. */
  paired(): void;
  /** Called for each answered call. */
  answered(): void;
}

/** One worker thread and its links. Calls to it reject when it dies. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #batch: MessageBatch<ToWorker>;
  readonly #options: WorkerThreadOptions;
  readonly #links = new Map<number, LinkSide>();
  readonly #calls = new Map<number, { resolve(value: Calls[CallKind]['answer']): void; reject(error: Error): void }>();
  readonly #exited: Promise<void>;
  readonly #pulse: NodeJS.Timeout;
  #lastCall = 0;
  #beatsUnanswered = 0;
  #ending = false;
  #dead = false;

  /** Starts the thread. */
  constructor(options: WorkerThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(programFile('whatsapp-worker.js'), { workerData: options.setup, resourceLimits });
    this.#batch = new MessageBatch<ToWorker>(
      (messages, transfer) => this.#worker.postMessage(messages, transfer),
      (message, error) => this.#unpostable(message, error),
    );
    this.#worker.on('message', (messages: readonly FromWorker[]) => {
      this.#beatsUnanswered = 0;
      for (const message of messages) this.#received(message);
    });
    this.#worker.on('error', (error) => options.log.error({ err: error }, 'a WhatsApp worker failed'));
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

  /** Begins a link; its `link` is its number, unique in the process. */
  open(link: Omit<Extract<ToWorker, { type: 'open' }>, 'type'>, side: LinkSide): void {
    this.#links.set(link.link, side);
    if (this.#dead) queueMicrotask(() => this.#failAll());
    else this.#post({ type: 'open', ...link });
  }

  /** Sets the version (its `client_revision`) for the connections that it begins from now on. */
  use(revision: number): void {
    this.#post({ type: 'version', revision });
  }

  /** Which events of a link's messages it reports from now on. */
  follow(link: number, events: readonly MessageEvent[]): void {
    this.#post({ type: 'follow', link, events });
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
      this.#calls.set(call, { resolve: resolve as (value: Calls[CallKind]['answer']) => void, reject });
      this.#post({ type: 'call', link, call, kind, with: argument } as ToWorker);
    });
  }

  /** Ends the thread. Its links must be closed before. */
  async end(): Promise<void> {
    this.#ending = true;
    this.#post({ type: 'end' });
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
    this.#options.log.error({ links: this.load }, 'a WhatsApp worker no longer responds and is ended');
    void this.#worker.terminate();
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    if (!this.#dead) this.#batch.add(message, transfer);
  }

  #unpostable(message: ToWorker, error: unknown): void {
    if (message.type !== 'call') throw error;
    this.#answered(message.call, { ok: false, reason: reasonOf(error) });
  }

  #received(message: FromWorker): void {
    switch (message.type) {
      case 'event':
        if (message.event.type === 'paired') this.#options.paired();
        this.#links.get(message.link)?.onWorkerEvent(message.event);
        return;
      case 'answer':
        this.#answered(message.call, message.result);
        this.#options.answered();
        return;
      case 'store':
        this.#store(message.link, message.request, message.with);
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

  #store(link: number, request: number, asked: StoreRequest): void {
    const side = this.#links.get(link);
    const done = side === undefined ? Promise.reject(new Error('the link is over')) : side.store(asked);
    done.then(
      (records) => this.#stored(link, request, { ok: true, records: records === null ? null : packRecords(records) }),
      (error: unknown) => this.#stored(link, request, { ok: false, reason: reasonOf(error), fault: faultOf(error) }),
    );
  }

  #stored(link: number, request: number, result: StoreResult): void {
    const transfer = result.ok && result.records !== null ? [result.records.bytes.buffer] : [];
    this.#post({ type: 'stored', link, request, result }, transfer);
  }

  #writeLine(level: 'debug' | 'warn' | 'error', { instanceId, message, error }: LogLine): void {
    const fields = { ...(instanceId === null ? {} : { instance_id: instanceId }), ...(error === null ? {} : { error }) };
    this.#options.log[level](fields, message);
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

function faultOf(error: unknown): 'away' | 'unreadable' | null {
  if (error instanceof StoreUnavailable) return 'away';
  return error instanceof CannotOpen ? 'unreadable' : null;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'failed';
}
