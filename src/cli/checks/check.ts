import type { Config } from '../../config/index.ts';
import type { World } from '../world.ts';

/** What a check found. `mend` says what to do about it; null when there is nothing to do. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly mend: string | null;
}

/** One part of `gateway doctor`. It changes nothing (opening the database brings its schema up to date, as every command does) and never throws for what it is there to find. */
export type Check = (world: World, config: Config) => Promise<Finding[]>;

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message, mend: null });
export const warn = (check: string, message: string, mend: string): Finding => ({ check, state: 'warn', message, mend });
export const fail = (check: string, message: string, mend: string): Finding => ({ check, state: 'fail', message, mend });

/** What an error says, in one line; some of the runtime's network errors carry only a code. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
