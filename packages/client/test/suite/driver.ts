import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What a client says of an error. */
export interface Failure {
  /** The name of its class. */
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly status?: number;
  readonly request_id?: string;
  readonly doc_url?: string | null;
  readonly details?: { readonly field?: string };
  readonly idempotency_key?: string | null;
  readonly attempts?: number;
  readonly may_have_been_sent?: boolean;
  /** Of PHP, whose traces show what functions were given. */
  readonly trace?: string;
}

export interface Answer {
  readonly status: number;
  readonly request_id: string;
  readonly attempts: number;
  readonly replayed: boolean;
}

/** The result of a task, or how it failed, and the answers of the gateway that came meanwhile. */
export interface Outcome<Result> {
  readonly result?: Result;
  readonly error?: Failure;
  readonly answers: readonly Answer[];
}

export interface SentMessage {
  readonly message: Readonly<Record<string, unknown>>;
  readonly idempotency_key: string;
  readonly result: { readonly message_id: string } | null;
  readonly error: Failure | null;
}

export interface SentAll {
  readonly sent: readonly SentMessage[];
  readonly failure: Failure | null;
  /** The keys of what is done. */
  readonly done: readonly string[];
}

/** A client in another language: a process that carries out one task after another, each a line of JSON. */
export interface Driver {
  run<Result>(task: string, words: Readonly<Record<string, unknown>>): Promise<Outcome<Result>>;
  stop(): Promise<void>;
}

export function startDriver(program: string, ...words: readonly string[]): Driver {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async run<Result>(task: string, rest: Readonly<Record<string, unknown>>) {
      child.stdin.write(`${JSON.stringify({ task, ...rest })}\n`);
      const { value, done = false } = await lines.next();
      if (done) throw new Error(`${program} ended during ${task}`);
      return JSON.parse(String(value)) as Outcome<Result>;
    },
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

export interface ClientOptions {
  readonly base_url: string;
  readonly api_key?: string;
  /** In seconds, as the next. */
  readonly timeout?: number;
  readonly deadline?: number;
  readonly backoff?: number;
}

/** How what `sendAll` gives is read. */
interface Reading {
  /** The keys of what is done already; null: none are kept. */
  readonly done?: readonly string[] | null;
  /** After how many the reader leaves. */
  readonly leaveAfter?: number | null;
  /** After how many the reader throws an error into it. */
  readonly throwAfter?: number | null;
  /** The key that cannot be kept as done. */
  readonly unrecorded?: string | null;
}

let opened = 0;

/** A client of this driver. */
export class DrivenClient {
  readonly #driver: Driver;
  readonly #client: string;

  private constructor(driver: Driver, client: string) {
    this.#driver = driver;
    this.#client = client;
  }

  static async open(driver: Driver, options: ClientOptions): Promise<DrivenClient> {
    opened += 1;
    const client = `client ${opened}`;
    const { error } = await driver.run('open', { client, options });
    if (error !== undefined) throw new Error(error.message);
    return new DrivenClient(driver, client);
  }

  /** Calls the method of an operation; `id` is that of its instance. */
  attempt<Result = Record<string, unknown>>(method: string, given: Readonly<Record<string, unknown>> = {}): Promise<Outcome<Result>> {
    return this.#driver.run<Result>('call', { client: this.#client, method, arguments: given });
  }

  /** The same where it has to succeed. */
  async call<Result = Record<string, unknown>>(method: string, given: Readonly<Record<string, unknown>> = {}): Promise<Result> {
    return succeeded(await this.attempt<Result>(method, given));
  }

  async refusal(method: string, given: Readonly<Record<string, unknown>> = {}): Promise<Failure> {
    const { error } = await this.attempt(method, given);
    if (error === undefined) throw new Error(`${method} succeeded`);
    return error;
  }

  async sendAll(
    messages: readonly object[],
    options: { readonly job: string; readonly concurrency?: number },
    { done = null, leaveAfter = null, throwAfter = null, unrecorded = null }: Reading = {},
  ): Promise<SentAll> {
    const reading = { done, leave_after: leaveAfter, throw_after: throwAfter, unrecorded };
    return succeeded(await this.#driver.run('send_all', { client: this.#client, messages, options, ...reading }));
  }

  /** Pairs; with `scan` a phone of the sandbox network with this number scans each code. */
  async pair(
    id: string,
    scan: string | null = null,
    attempts = 1,
  ): Promise<readonly { readonly type: string; readonly phone_number: string | null }[]> {
    return succeeded(await this.#driver.run('pair', { client: this.#client, id, options: { interval: 0.05, attempts }, scan }));
  }

  /** The id of a new instance that a phone of the sandbox network has scanned. */
  async linkedInstance(phoneNumber: string): Promise<string> {
    const { instance_id } = await this.call<{ instance_id: string }>('createInstance', { network: 'sandbox' });
    await this.pair(instance_id, phoneNumber);
    return instance_id;
  }
}

function succeeded<Result>({ result, error }: Outcome<Result>): Result {
  if (error !== undefined) throw new Error(`${error.type}: ${error.message}`);
  return result as Result;
}
