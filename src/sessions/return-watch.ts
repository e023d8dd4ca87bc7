import type { Clock, Log, Timer } from '../core/index.ts';
import { standingOf } from './history/standing.ts';
import type { Session } from './session.ts';

/** After so long the log has how many numbers are not back. */
const patienceMs = 5 * 60_000;

/** Logs once after the start of the process when all linked numbers are back, or after 5 minutes how many are not. */
export class ReturnWatch {
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'info' | 'warn'>;
  /** Those that are still expected; null before the start and after the line. */
  #missing: Set<Session> | null = null;
  #all: readonly Session[] = [];
  readonly #since: number;
  readonly #ended = Promise.withResolvers<void>();
  #timer: Timer | null = null;

  constructor(clock: Clock, log: Pick<Log, 'info' | 'warn'>) {
    this.#clock = clock;
    this.#log = log;
    this.#since = clock.monotonic();
  }

  /** These numbers have begun to connect, as far as they are linked. Resolves with the line in the log. */
  start(sessions: readonly Session[]): Promise<void> {
    this.#all = sessions;
    this.#missing = new Set(sessions.filter((session) => isExpected(session)));
    this.#timer = this.#clock.after(patienceMs, () => this.#report());
    if (this.#missing.size === 0) this.#report();
    return this.#ended.promise;
  }

  /** The state of a number may have changed. */
  changed(session: Session): void {
    if (this.#missing === null || isExpected(session) || !this.#missing.delete(session)) return;
    if (this.#missing.size === 0) this.#report();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#missing = null;
  }

  #report(): void {
    const missing = this.#missing?.size ?? 0;
    const standings = this.#all.map((session) => standingOf(session));
    const count = (wanted: string) => standings.filter((standing) => standing === wanted).length;
    const seconds = Math.round((this.#clock.monotonic() - this.#since) / 100) / 10;
    const fields = { connected: count('connected'), needs_person: count('needs_person'), never_linked: count('never_linked'), seconds };
    this.stop();
    this.#ended.resolve();
    this.#all = [];
    if (missing === 0) this.#log.info(fields, 'all linked numbers are back');
    else this.#log.warn({ ...fields, missing }, 'some linked numbers are not back yet; the gateway keeps trying');
  }
}

/** Whether it connects, and may be back at any moment. */
function isExpected(session: Session): boolean {
  return session.linked && session.status === 'connecting' && standingOf(session) !== 'needs_person';
}
