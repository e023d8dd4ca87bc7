import type Sqlite from 'better-sqlite3';
import { DiskSync } from './disk-sync.ts';
import { explained } from './faults.ts';

/** One kind of hot-path work: all its calls of a tick at once, one answer per call, in order. */
export interface Operation<Input, Output> {
  /** True when an answer promises that the work survives a power cut. */
  readonly durable: boolean;
  /** True when the work may wait a tick for company under load. */
  readonly patient: boolean;
  /** True when each of its statements stands for itself: a tick of only such work is no transaction, and waits for nobody else who writes. */
  readonly standalone?: boolean;
  run(inputs: readonly Input[]): Output[];
}

interface Lane {
  readonly durable: boolean;
  readonly patient: boolean;
  readonly standalone: boolean;
  pending(): boolean;
  run(): void;
  /** Ends the tick for this lane; what is returned answers its calls. */
  commit(): Answer;
  /** After a failed tick: each call in a transaction of its own, so that only the failing ones fail. */
  runOneByOne(transact: (work: () => void) => void): Answer;
}

/** Answers calls: well, or with the error of the disk. */
type Answer = (error: Error | null) => void;

/**
 * Collects the calls of one event-loop tick and runs them in one transaction (design §4): with many callers the cost of a transaction and
 * of waiting for the disk is shared by all of them.
 */
export class Tick {
  readonly #database: Sqlite.Database;
  readonly #durable: boolean;
  readonly #lanes: Lane[] = [];
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #rollback: Sqlite.Statement;
  readonly #disk: DiskSync;
  #scheduled = false;
  #blockedBy: Promise<void> | null = null;
  #patientWaited = false;

  /** With `durable` false nobody waits for the disk. */
  constructor(database: Sqlite.Database, durable: boolean) {
    this.#database = database;
    this.#durable = durable;
    this.#begin = database.prepare('begin immediate');
    this.#commit = database.prepare('commit');
    this.#rollback = database.prepare('rollback');
    this.#disk = new DiskSync(`${database.name}-wal`);
    // The waiting is done by #disk, beside the event loop.
    database.pragma('synchronous = normal');
  }

  /** Makes the caller of an operation. Operations run in the order in which they were added here. */
  add<Input, Output>(operation: Operation<Input, Output>): (input: Input) => Promise<Output> {
    let inputs: Input[] = [];
    let settlers: { resolve: (output: Output) => void; reject: (error: unknown) => void }[] = [];
    let outputs: Output[] = [];
    this.#lanes.push({
      durable: operation.durable,
      patient: operation.patient,
      standalone: operation.standalone ?? false,
      pending: () => inputs.length > 0,
      run: () => {
        outputs = inputs.length > 0 ? operation.run(inputs) : [];
      },
      commit: () => {
        const done = settlers;
        const answers = outputs;
        inputs = [];
        settlers = [];
        outputs = [];
        return (error) => {
          for (let i = 0; i < done.length; i++) {
            // One answer per call is the operation's contract.
            if (error === null) done[i]?.resolve(answers[i] as Output);
            else done[i]?.reject(error);
          }
        };
      },
      runOneByOne: (transact) => {
        const calls = inputs.map((input, i) => ({ input, settler: settlers[i] }));
        inputs = [];
        settlers = [];
        outputs = [];
        const answers: Answer[] = [];
        for (const { input, settler } of calls) {
          try {
            let answer: Output[] = [];
            transact(() => {
              answer = operation.run([input]);
            });
            answers.push((error) => (error === null ? settler?.resolve(answer[0] as Output) : settler?.reject(error)));
          } catch (error) {
            settler?.reject(explained(error, this.#database.name));
          }
        }
        return (error) => {
          for (const answer of answers) answer(error);
        };
      },
    });
    return (input) =>
      new Promise<Output>((resolve, reject) => {
        inputs.push(input);
        settlers.push({ resolve, reject });
        this.#schedule();
      });
  }

  /** Holds ticks back while another connection of this process has a transaction open: waiting for its lock would stop the very loop that ends it. */
  holdBackUntil(done: Promise<void>): void {
    this.#blockedBy = done;
    void done.then(() => {
      if (this.#blockedBy !== done) return;
      this.#blockedBy = null;
      if (this.#lanes.some((lane) => lane.pending())) this.#schedule();
    });
  }

  /** Runs everything collected so far, now. */
  flush(): void {
    if (this.#blockedBy !== null) return;
    let lanes = this.#lanes.filter((lane) => lane.pending());
    if (lanes.length === 0) return;
    if (this.#letPatientWait(lanes)) {
      lanes = lanes.filter((lane) => !lane.patient);
      this.#schedule();
    }
    let answered: { readonly lane: Lane; readonly answer: Answer }[];
    try {
      const work = () => {
        for (const lane of lanes) lane.run();
      };
      if (lanes.every((lane) => lane.standalone)) work();
      else this.#transact(work);
      answered = lanes.map((lane) => ({ lane, answer: lane.commit() }));
    } catch {
      answered = lanes.map((lane) => ({ lane, answer: lane.runOneByOne((work) => this.#transact(work)) }));
    }
    const toDisk: Answer[] = [];
    for (const { lane, answer } of answered) {
      if (lane.durable && this.#durable) toDisk.push(answer);
      else answer(null);
    }
    if (toDisk.length > 0) this.#disk.after(toDisk);
  }

  /** Runs everything collected so far and resolves when all of it is answered. To be called once, before the database is closed. */
  async close(): Promise<void> {
    this.flush();
    // What waited a tick for company.
    this.flush();
    await this.#disk.idle();
    this.#disk.close();
  }

  // Writing is the dearest part of a tick. Requests that are still on their way will want it too, so
  // under load patient work waits one tick for them and one transaction serves twice as many; alone it never waits.
  #letPatientWait(lanes: readonly Lane[]): boolean {
    const mixed = lanes.some((lane) => lane.patient) && lanes.some((lane) => !lane.patient);
    this.#patientWaited = mixed && !this.#patientWaited;
    return this.#patientWaited;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.flush();
    });
  }

  #transact(work: () => void): void {
    this.#begin.run();
    try {
      work();
      this.#commit.run();
    } catch (error) {
      // Some errors (a full disk among them) have rolled back already.
      if (this.#database.inTransaction) this.#rollback.run();
      throw error;
    }
  }
}
