import { inserted, locale, translated, type Values } from './instance.ts';

export { locale, shownCount, spoken } from './instance.ts';
export { Trans } from './trans.ts';

const lists: Partial<Record<'conjunction' | 'disjunction', Intl.ListFormat>> = {};

/** Several things in one sentence: “a, b and c”. */
export function listed(things: readonly string[], type: keyof typeof lists = 'conjunction'): string {
  lists[type] ??= new Intl.ListFormat(locale(), { type });
  return lists[type].format(things);
}

/**
 * A text in the page's language; the English one, written out, is its key. With `count` the English text is the plural, and its singular is
 * `defaultValue_one`.
 */
export function t<const Text extends string>(text: string extends Text ? never : Text, values: Values = {}): string {
  return inserted(translated(text, values), values);
}
