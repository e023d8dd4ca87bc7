import { isOneCallsFault, isTransient } from './faults.ts';

/** Runs a batch of calls at once, all of it or nothing; one answer per call, in order. */
export type RunBatch<Input, Output> = (inputs: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>;

interface CollectorOptions {
  /** How many batches may be under way at the same time. */
  readonly concurrency: number;
  readonly maxBatch: number;
  /** Called with the size of each batch. */
  readonly onBatch?: ((calls: number) => void) | undefined;
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
  readonly #run: RunBatch<Input, Output>;
  readonly #options: CollectorOptions;
  #waiting: Call<Input, Output>[] = [];
  #running = 0;
  #scheduled = false;
  #draining: (() => void)[] = [];

  constructor(run: RunBatch<Input, Output>, options: CollectorOptions) {
    this.#run = run;
    this.#options = options;
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
    if (this.#scheduled || this.#running >= this.#options.concurrency) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < this.#options.concurrency) {
      this.#running++;
      void this.#runBatch(this.#waiting.splice(0, this.#options.maxBatch)).then(() => this.#ended());
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
    this.#options.onBatch?.(calls.length);
    try {
      const outputs = await this.#tryUntilDone(calls.map((call) => call.input));
      // There is one answer per call.
      calls.forEach((call, i) => {
        call.resolve(outputs[i] as Output | Promise<Output>);
      });
    } catch (error) {
      // The others deserve a try of their own.
      if (calls.length > 1 && isOneCallsFault(error)) for (const call of calls) await this.#runBatch([call]);
      else for (const call of calls) call.reject(error);
    }
  }

  /** Again when a deadlock or the like has undone the batch. */
  async #tryUntilDone(inputs: readonly Input[]): Promise<readonly (Output | Promise<Output>)[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#run(inputs);
      } catch (error) {
        if (!isTransient(error) || tries === mostTries) throw error;
      }
    }
  }
}
