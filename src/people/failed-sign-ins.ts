import { type AuditDetails, changesBetween, recordAudit, updateAuditDetails } from '../audit/index.ts';
import type { Clock, Log } from '../core/index.ts';
import type { Store } from '../store/index.ts';

/** What somebody proves at a sign-in. */
export type Factor = 'password' | 'totp' | 'backup_code';

export interface SignInAttempt {
  readonly factor: Factor;
  /** The client's address. */
  readonly address: string;
}

const oneRowMs = 60_000;

/** The row of somebody's failed sign-ins of this minute. */
interface Noted {
  /** On the stopwatch. */
  readonly since: number;
  attempts: number;
  /** After the writes before; the row's id. */
  written: Promise<number>;
}

/**
 * Notes failed sign-ins of known people in the audit log: one row per person and minute, which counts them, so that nobody can flood the log.
 * Nobody waits for the row: an answer that took longer would reveal which addresses are known.
 */
export class FailedSignIns {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'error'>;
  readonly #noted = new Map<string, Noted>();

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: Pick<Log, 'error'> }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Notes that a sign-in as this person failed. */
  note(userId: string, attempt: SignInAttempt): void {
    const now = this.#clock.monotonic();
    for (const [id, { since }] of this.#noted) if (now - since >= oneRowMs) this.#noted.delete(id);
    const noted = this.#noted.get(userId);
    if (noted === undefined) {
      this.#noted.set(userId, { since: now, attempts: 1, written: this.#watch(this.#insert(userId, attempt)) });
      return;
    }
    const attempts = ++noted.attempts;
    noted.written = this.#watch(noted.written.then((row) => this.#update(row, attempt, attempts)));
  }

  /** Resolves when everything that was noted so far is written, or its failure logged. */
  async idle(): Promise<void> {
    await Promise.allSettled([...this.#noted.values()].map(({ written }) => written));
  }

  async #insert(userId: string, attempt: SignInAttempt): Promise<number> {
    const act = { actor: { kind: 'system' }, now: this.#clock.now() } as const;
    const row = { action: 'user.sign_in_failed', targetId: userId, details: detailsOf(attempt, 1) } as const;
    return this.#store.transaction((trx) => recordAudit(trx, act, row));
  }

  async #update(row: number, attempt: SignInAttempt, attempts: number): Promise<number> {
    await updateAuditDetails(this.#store.db, row, JSON.stringify(detailsOf(attempt, attempts)));
    return row;
  }

  #watch(written: Promise<number>): Promise<number> {
    written.catch((error: unknown) => this.#log.error({ err: error }, 'a failed sign-in could not be recorded in the audit log'));
    return written;
  }
}

/** The latest of several attempts, with their number. */
function detailsOf({ factor, address }: SignInAttempt, attempts: number): AuditDetails {
  return changesBetween(null, { factor, address, attempts }) ?? {};
}
