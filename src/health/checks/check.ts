import type { Config } from '../../config/index.ts';
import type { Clock } from '../../core/index.ts';
import type { Texts } from '../../language/index.ts';

/** What a finding says. A string is the same in every language: a name, a command, the message of an error. */
export type Sentence = string | ((texts: Texts) => string);

/** The result of a check. `mend`: what to do about it; null: nothing. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: Sentence;
  readonly mend: Sentence | null;
}

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** One check. It changes nothing, and reports what it is for as a finding instead of an error. */
export type Check = (machine: Machine, config: Config) => Promise<Finding[]>;

export const ok = (check: string, message: Sentence): Finding => ({ check, state: 'ok', message, mend: null });
export const warn = (check: string, message: Sentence, mend: Sentence): Finding => ({ check, state: 'warn', message, mend });
export const fail = (check: string, message: Sentence, mend: Sentence): Finding => ({ check, state: 'fail', message, mend });

/**
 * As `t` of a reader's texts, for readers who are not known yet: one finding is shown to many. A value may be a sentence too. Numbers are
 * written as the reader writes them, strings as they are.
 */
export function t<const Text extends string>(
  text: string extends Text ? never : Text,
  values: Readonly<Record<string, Sentence | number>> = {},
) {
  return (texts: Texts): string => {
    const said = Object.entries(values).map(([name, value]) => [name, typeof value === 'function' ? value(texts) : value] as const);
    return texts.t(text as never, Object.fromEntries(said));
  };
}

/** A finding as its reader sees it. */
export function translated({ check, state, message, mend }: Finding, texts: Texts) {
  const said = (sentence: Sentence) => (typeof sentence === 'string' ? sentence : sentence(texts));
  return { check, state, message: said(message), mend: mend === null ? null : said(mend) };
}

/** The message of an error; some of the runtime's network errors have only a code. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
