import { isFailure } from '../../core/index.ts';
import type { Watch } from './watch.ts';

const minuteMs = 60_000;
const windowMinutes = 10;
/** Fewer sends say nothing of a rate. */
const fewestSends = 20;

interface Minute {
  readonly minute: number;
  sends: number;
  failed: number;
}

/** How many of this server's sends of the last ten minutes failed with 5xx. */
export class ErrorRate implements Watch {
  readonly condition = 'error_rate_high';
  readonly of = 'server';
  /** A share of the sends, 0 to 1; it is high from here on, and until it has fallen to half of it. */
  readonly #bound: number;
  readonly #now: () => number;
  readonly #minutes: Minute[] = [];

  constructor({ bound, now }: { readonly bound: number; readonly now: () => number }) {
    this.#bound = bound;
    this.#now = now;
  }

  /** A request was answered. */
  readonly answered = ({ record }: { readonly record: { readonly message_type: string | null; readonly status: number } }): void => {
    if (record.message_type === null) return;
    const minute = Math.floor(this.#now() / minuteMs);
    let last = this.#minutes.at(-1);
    if (last?.minute !== minute) {
      last = { minute, sends: 0, failed: 0 };
      this.#minutes.push(last);
      while (this.#minutes.length > windowMinutes) this.#minutes.shift();
    }
    last.sends++;
    if (isFailure(record.status)) last.failed++;
  };

  look(now: number, lasting: boolean): string | null {
    const first = Math.floor(now / minuteMs) - windowMinutes;
    let sends = 0;
    let failed = 0;
    for (const one of this.#minutes) {
      if (one.minute <= first) continue;
      sends += one.sends;
      failed += one.failed;
    }
    if (sends < fewestSends) return null;
    const rate = failed / sends;
    if (rate < (lasting ? this.#bound / 2 : this.#bound)) return null;
    return `${failed} of ${sends} sends of the last ${windowMinutes} minutes failed`;
  }
}
