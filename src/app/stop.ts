import type { Log } from '../core/index.ts';
import type { Connections } from '../http/index.ts';

/** What a stop does, in the opposite order of the start, each step within a time of its own. */
export class ShutdownSteps {
  readonly #log: Pick<Log, 'error'>;
  readonly #defaultMs: number;
  readonly #steps: (() => Promise<void>)[] = [];

  /** `defaultMs` is the time of a step that names none. */
  constructor(log: Pick<Log, 'error'>, defaultMs: number) {
    this.#log = log;
    this.#defaultMs = defaultMs;
  }

  /** Has this run before all that were added earlier. */
  add(step: () => Promise<unknown>, withinMs: number = this.#defaultMs): void {
    // Async, so that a step that throws before it returns a promise fails like any other.
    this.#steps.push(async () => inTime(step(), withinMs));
  }

  /** Runs each step once. False when one of them failed or took too long; the others have run all the same, and the log says which. */
  async run(): Promise<boolean> {
    let clean = true;
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      await step().catch((error: unknown) => {
        clean = false;
        this.#log.error({ err: error }, 'something did not close');
      });
    }
    return clean;
  }
}

interface Started {
  readonly config: { readonly stopDelayMs: number };
  readonly log: Pick<Log, 'info'>;
  readonly connections: Pick<Connections, 'leave'>;
  readonly state: { phase: 'starting' | 'running' | 'stopping' };
  readonly shutdown: ShutdownSteps;
}

/** Ends what has been started so far. A server that has taken requests goes on answering for STOP_DELAY first. */
export async function stopApp({ config, log, connections, state, shutdown }: Started): Promise<boolean> {
  const wasRunning = state.phase === 'running';
  state.phase = 'stopping';
  if (wasRunning) await connections.leave(config.stopDelayMs);
  const clean = await shutdown.run();
  // Without it, a log does not show whether the program ended by itself or was killed.
  if (wasRunning && clean) log.info({}, 'the gateway has stopped');
  return clean;
}

/** Fails when the work takes longer; it may still end later. By the real clock, because a stop is bounded by whoever runs the program. */
async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it took longer than ${ms} ms`)), ms);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
