import type { Config } from '../../config/index.ts';
import type { Clock } from '../../core/index.ts';

/** The result of a check. `mend`: what to do about it; null: nothing. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly mend: string | null;
}

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** One check. It changes nothing, and reports what it is for as a finding instead of an error. */
export type Check = (machine: Machine, config: Config) => Promise<Finding[]>;

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message, mend: null });
export const warn = (check: string, message: string, mend: string): Finding => ({ check, state: 'warn', message, mend });
export const fail = (check: string, message: string, mend: string): Finding => ({ check, state: 'fail', message, mend });

/** The message of an error; some of the runtime's network errors have only a code. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
