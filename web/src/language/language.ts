import { i18n, locale } from './instance.ts';

export { Trans } from 'react-i18next';
export { locale, shownCount, spoken } from './instance.ts';

/** Several things in one sentence: “a, b and c”. */
export function listed(things: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(locale(), { type }).format(things);
}

/** What stands for the {{names}} in a text. Numbers are written as the reader writes them. */
interface Values {
  readonly [name: string]: string | number;
}

/**
 * A text in the page's language; the English one, written out, is its key. With `count` the English text is the plural, and its singular is
 * `defaultValue_one`.
 */
export function t<const Text extends string>(text: string extends Text ? never : Text, values: Values = {}): string {
  return i18n.t(text as string, values);
}
