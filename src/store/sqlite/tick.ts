import type Sqlite from 'better-sqlite3';
import { nextDelayMs, patienceMs } from './busy.ts';
import { DiskSync } from './disk-sync.ts';
import { isBusy, isOneCallsFault } from './faults.ts';

/** For this long after a transaction no other program is assumed to be writing. */
const freshMs = 5;

/** One kind of hot-path work: all its calls of a tick at once, one answer per call, in order. */
export interface Operation<Input, Output> {
  /** True when an answer promises that the work survives a power cut. */
  readonly durable: boolean;
  /** How long a call waits while another program writes, in milliseconds. */
  readonly patienceMs: number;
  run(inputs: readonly Input[]): Output[];
}

/** Answers calls with a result or an error. */
type Answer = (error: unknown) => void;

/** The calls of one operation, whatever their types. */
type Lane = Pick<Calls<unknown, unknown>, 'durable' | 'waiting' | 'runTogether' | 'runOneByOne' | 'take' | 'expire'>;

interface Call<Input, Output> {
  readonly input: Input;
  readonly since: number;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

interface TickOptions {
  readonly durable: boolean;
  readonly explain: (error: unknown) => unknown;
  /** Called with the number of calls in each transaction. */
  readonly onBatch?: ((calls: number) => void) | undefined;
}

/**
 * Collects the calls of a moment and runs them in one transaction (design §4): with many callers the cost of a transaction and of waiting for
 * the disk is shared by all of them. While another program writes they stay where they are and the transaction is tried again a little later.
 * The database's own busy timeout must be 0.
 */
export class Tick {
  readonly #database: Sqlite.Database;
  readonly #durable: boolean;
  readonly #explain: (error: unknown) => unknown;
  readonly #onBatch: ((calls: number) => void) | undefined;
  readonly #lanes: Lane[] = [];
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #disk: DiskSync;
  readonly #turn: (input: null) => Promise<void>;
  #scheduled = false;
  /** How long to wait until the next try; 0 while no other program writes. */
  #delayMs = 0;
  #lastTurn = Number.NEGATIVE_INFINITY;

  /** With `durable` false no call waits for the disk. `explain` makes the error that callers get. */
  constructor(database: Sqlite.Database, options: TickOptions) {
    this.#database = database;
    this.#durable = options.durable;
    this.#explain = options.explain;
    this.#onBatch = options.onBatch;
    this.#begin = database.prepare('begin immediate');
    this.#commit = database.prepare('commit');
    this.#disk = new DiskSync(`${database.name}-wal`);
    // The waiting is done by #disk, beside the event loop.
    database.pragma('synchronous = normal');
    this.#turn = this.add({ durable: false, patienceMs, run: (inputs) => inputs.map(() => undefined) });
  }

  /** Makes the caller of an operation. Operations run in the order in which they were added here. */
  add<Input, Output>(operation: Operation<Input, Output>): (input: Input) => Promise<Output> {
    const lane = new Calls(operation);
    this.#lanes.push(lane);
    return (input) => {
      this.#schedule();
      return lane.add(input);
    };
  }

  /** null when no other program was writing a moment ago; otherwise resolves when none is, and rejects when that takes too long. */
  turn(): Promise<void> | null {
    return this.#delayMs === 0 && performance.now() - this.#lastTurn < freshMs ? null : this.#turn(null);
  }

  /** Resolves when everything collected so far is answered. To be called once, before the database is closed. */
  async close(): Promise<void> {
    if (this.#scheduled) await this.#turn(null).catch(() => undefined);
    await this.#disk.idle();
    this.#disk.close();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Requests that are still on their way will want to write too, and a transaction is the most expensive part: so the next turn of the
    // event loop belongs to this tick as well.
    setImmediate(() => setImmediate(() => this.#run()));
  }

  #run(): void {
    this.#scheduled = false;
    const lanes = this.#lanes.filter((lane) => lane.waiting > 0);
    this.#onBatch?.(lanes.reduce((calls, { waiting }) => calls + waiting, 0));
    let failure: unknown = null;
    try {
      this.#transact(lanes);
    } catch (error) {
      if (isBusy(error)) {
        this.#tryLater(lanes, error);
        return;
      }
      failure = this.#explain(error);
    }
    this.#delayMs = 0;
    this.#lastTurn = performance.now();
    const toDisk: Answer[] = [];
    for (const lane of lanes) {
      const answer = lane.take();
      if (failure === null && lane.durable && this.#durable) toDisk.push(answer);
      else answer(failure);
    }
    if (toDisk.length === 0) return;
    this.#disk.after((error) => {
      const explained = error === null ? null : this.#explain(error);
      for (const answer of toDisk) answer(explained);
    });
  }

  #tryLater(lanes: readonly Lane[], busy: unknown): void {
    for (const lane of lanes) lane.expire(() => this.#explain(busy));
    this.#delayMs = nextDelayMs(this.#delayMs);
    this.#scheduled = true;
    setTimeout(() => this.#run(), this.#delayMs);
  }

  #transact(lanes: readonly Lane[]): void {
    try {
      this.#inTransaction(() => {
        for (const lane of lanes) lane.runTogether();
      });
    } catch (error) {
      if (!isOneCallsFault(error)) throw error;
      this.#inTransaction(() => {
        for (const lane of lanes) lane.runOneByOne((work) => this.#apart(work));
      });
    }
  }

  #inTransaction(work: () => void): void {
    this.#begin.run();
    try {
      work();
      this.#commit.run();
    } catch (error) {
      // Some errors (a full disk among them) have rolled back already.
      if (this.#database.inTransaction) this.#database.exec('rollback');
      throw error;
    }
  }

  #apart(work: () => void): void {
    this.#database.exec('savepoint one');
    try {
      work();
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('rollback to one');
      throw error;
    } finally {
      if (this.#database.inTransaction) this.#database.exec('release one');
    }
  }
}

class Calls<Input, Output> {
  readonly #operation: Operation<Input, Output>;
  #calls: Call<Input, Output>[] = [];
  #outputs: Output[] = [];

  constructor(operation: Operation<Input, Output>) {
    this.#operation = operation;
  }

  get durable(): boolean {
    return this.#operation.durable;
  }

  get waiting(): number {
    return this.#calls.length;
  }

  add(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ input, since: performance.now(), resolve, reject });
    });
  }

  runTogether(): void {
    this.#outputs = this.#operation.run(this.#calls.map((call) => call.input));
  }

  /** Runs each call by itself, so that only calls with faulty data fail. */
  runOneByOne(apart: (work: () => void) => void): void {
    this.#outputs = [];
    this.#calls = this.#calls.filter((call) => {
      try {
        apart(() => this.#outputs.push(...this.#operation.run([call.input])));
        return true;
      } catch (error) {
        if (!isOneCallsFault(error)) throw error;
        call.reject(error);
        return false;
      }
    });
  }

  take(): Answer {
    const calls = this.#calls;
    const outputs = this.#outputs;
    this.#calls = [];
    this.#outputs = [];
    return (error) => {
      for (let i = 0; i < calls.length; i++) {
        // `run` returns one answer per call.
        if (error === null) calls[i]?.resolve(outputs[i] as Output);
        else calls[i]?.reject(error);
      }
    };
  }

  /** Fails the calls that have waited too long; the error is made only when there are any. */
  expire(error: () => unknown): void {
    const oldest = performance.now() - this.#operation.patienceMs;
    // They stand in the order in which they came.
    while (this.#calls[0] !== undefined && this.#calls[0].since <= oldest) this.#calls.shift()?.reject(error());
  }
}
