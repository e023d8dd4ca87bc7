import type { Clock, Timer } from '../../core/index.ts';
import type { Store } from '../store.ts';
import { noteNextRun } from './note.ts';

const everyMs = 30_000;
/** Between two runs while there is more to note: so a busy server spends a twentieth of its time on it at most, and catches up later. */
const pauseMs = 2000;

interface NoteKeeperOptions {
  readonly store: Pick<Store, 'db' | 'dialect' | 'transaction'>;
  readonly clock: Clock;
  readonly log: { error(fields: object, message: string): void };
}

/** Notes what is in the request log, some time after it was written and away from the sends themselves. Every server does; each run is noted once. */
export function startNoteKeeper({ store, clock, log }: NoteKeeperOptions) {
  let timer: Timer;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let runs = 0;

  function plan(ms: number): void {
    timer = clock.after(ms, () => {
      running = noteNextRun(store, clock.now(), runs++)
        .catch((error: unknown) => {
          log.error({ err: error }, 'the request log could not be indexed for searches');
          return false;
        })
        .then((more) => {
          if (!stopped) plan(more ? pauseMs : everyMs);
        });
    });
  }
  plan(everyMs);

  return {
    async stop(): Promise<void> {
      stopped = true;
      timer.cancel();
      await running;
    },
  };
}
