/** One kind of hot-path work: a batch of calls at once, one answer per call, in order; all of it or nothing. */
export interface BatchWork<Input, Output> {
  run(inputs: readonly Input[]): Promise<readonly (Output | Promise<Output>)[]>;
  /** How many batches may be under way at the same time. */
  readonly concurrency: number;
  readonly maxBatch: number;
  /** How long the first call of a batch waits for others, in milliseconds; absent: the rest of its event-loop tick. */
  readonly delayMs?: number;
  /** Whether an error of a batch may come from one of its calls alone, so that the others deserve a try of their own. */
  isOneCallsFault(error: unknown): boolean;
  /** Whether the batch was undone for a reason that has passed, such as a deadlock. */
  isTransient(error: unknown): boolean;
}

/** How often a batch is run whose failures are transient. */
const mostTries = 5;

interface Call<Input, Output> {
  readonly input: Input;
  resolve(output: Output | Promise<Output>): void;
  reject(error: unknown): void;
}

/** Collects the calls of a tick, and those that arrive while batches are under way, and runs them together: round trips are shared. */
export class Collector<Input, Output> {
  readonly #work: BatchWork<Input, Output>;
  readonly #onBatch: ((calls: number) => void) | undefined;
  #waiting: Call<Input, Output>[] = [];
  #running = 0;
  #scheduled = false;
  #timer: NodeJS.Timeout | null = null;
  #draining: (() => void)[] = [];

  /** `onBatch` is told of the size of each batch. */
  constructor(work: BatchWork<Input, Output>, onBatch?: (calls: number) => void) {
    this.#work = work;
    this.#onBatch = onBatch;
  }

  /** How many calls wait for a batch. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Adds a call to the next batch. Rejects with the error of its own work only, or of the connection. */
  call(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      this.#schedule();
    });
  }

  /** Runs the waiting calls; resolves when none waits or runs. */
  async drain(): Promise<void> {
    this.#start();
    if (this.#running > 0) await new Promise<void>((resolve) => this.#draining.push(resolve));
  }

  #schedule(): void {
    if (this.#scheduled || this.#running >= this.#work.concurrency) return;
    const { delayMs, maxBatch } = this.#work;
    if (delayMs === undefined || this.#waiting.length >= maxBatch) {
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#start();
      });
    } else this.#timer ??= setTimeout(() => this.#start(), delayMs).unref();
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    while (this.#waiting.length > 0 && this.#running < this.#work.concurrency) {
      this.#running++;
      void this.#runBatch(this.#waiting.splice(0, this.#work.maxBatch)).then(() => this.#ended());
    }
  }

  #ended(): void {
    this.#running--;
    if (this.#draining.length > 0) this.#start();
    else if (this.#waiting.length > 0) this.#schedule();
    if (this.#running > 0 || this.#waiting.length > 0) return;
    for (const drained of this.#draining.splice(0)) drained();
  }

  async #runBatch(calls: readonly Call<Input, Output>[]): Promise<void> {
    this.#onBatch?.(calls.length);
    try {
      const outputs = await this.#run(calls.map((call) => call.input));
      // `run` returns one answer per call.
      calls.forEach((call, i) => {
        call.resolve(outputs[i] as Output | Promise<Output>);
      });
    } catch (error) {
      if (calls.length > 1 && this.#work.isOneCallsFault(error)) for (const call of calls) await this.#runBatch([call]);
      else for (const call of calls) call.reject(error);
    }
  }

  async #run(inputs: readonly Input[]): Promise<readonly (Output | Promise<Output>)[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#work.run(inputs);
      } catch (error) {
        if (!this.#work.isTransient(error) || tries === mostTries) throw error;
      }
    }
  }
}
