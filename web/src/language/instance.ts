import type { Language } from '../../../src/portal/wire/session.ts';
import { regionOf } from './languages.ts';

type Texts = Readonly<Record<string, string>>;

/** What stands for the {{names}} in a text. Numbers are written as the reader writes them. */
export interface Values {
  readonly [name: string]: string | number;
}

// The page's language, one for as long as it is open (start.ts). In tests of functions it is English, whose texts are their own keys.
const page = {
  language: 'en' as Language,
  region: 'en' as string,
  texts: {} as Texts,
  // Made when they are first needed: the first one takes longer than the rest of this file, and using one a hundredth of that.
  plurals: null as Intl.PluralRules | null,
  counts: null as Intl.NumberFormat | null,
};

const catalogues: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: { readonly translation: Texts } }>>> = {
  'pt-BR': () => import('./locales/pt-BR.json'),
  es: () => import('./locales/es.json'),
  id: () => import('./locales/id.json'),
};

/** Makes this the page's language. To be called once, before any words are used (start.ts). */
export async function speak(language: Language, preferred: readonly string[]): Promise<void> {
  page.region = regionOf(language, preferred);
  page.counts = null;
  if (language === 'en') return;
  const { default: catalogue } = await catalogues[language]();
  page.texts = catalogue.translation;
  page.plurals = null;
  page.language = language;
}

/** The text for this key in the page's language, with its {{names}}; in English where it is not translated. */
export function translated(key: string, { count, context, defaultValue_one: one }: Values): string {
  if (page.language !== 'en') {
    const named = context === undefined ? key : `${key}_${context}`;
    const known = typeof count === 'number' ? counted(named, count) : page.texts[named];
    if (known !== undefined && known !== '') return known;
  }
  return count === 1 && one !== undefined ? String(one) : key;
}

/** The form of a text for this count. Where millions are said as other counts are, the catalogue has none for them. */
function counted(named: string, count: number): string | undefined {
  page.plurals ??= new Intl.PluralRules(page.language);
  return page.texts[`${named}_${page.plurals.select(count)}`] ?? page.texts[`${named}_other`];
}

/** A text with these values in the places of its {{names}}. */
export function inserted(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? shownCount(value) : (value ?? '');
  });
}

export function spoken(): Language {
  return page.language;
}

/** The locale for dates and numbers, for `Intl` and the `toLocale…` methods. */
export function locale(): string {
  return page.region;
}

/** A number as the reader writes it, with at most so many decimals; with three where it is not said. */
export function shownCount(value: number, mostDecimals?: number): string {
  // Written alike in all four languages.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value);
  if (mostDecimals === undefined) {
    page.counts ??= new Intl.NumberFormat(page.region);
    return page.counts.format(value);
  }
  return value.toLocaleString(page.region, { maximumFractionDigits: mostDecimals });
}
