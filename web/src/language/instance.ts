import { createInstance, type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../../src/portal/wire/session.ts';
import { regionOf } from './languages.ts';
import english from './locales/en.json' with { type: 'json' };

// The page's language, one for as long as it is open (start.ts). In tests of functions it is English.
export const i18n = createInstance();
let region: string = 'en';
/** Numbers in texts are written as the reader writes them. */
const formatter: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown) => (typeof value === 'number' ? shownCount(value) : String(value)),
};
i18n
  .use(formatter)
  .use(initReactI18next)
  .init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: english },
    initAsync: false,
    // The English text is the key.
    keySeparator: false,
    nsSeparator: false,
    returnEmptyString: false,
    interpolation: {
      // React escapes what it shows.
      escapeValue: false,
      alwaysFormat: true,
    },
    react: { useSuspense: false },
  });

const catalogues: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: { readonly translation: object } }>>> = {
  'pt-BR': () => import('./locales/pt-BR.json'),
  es: () => import('./locales/es.json'),
  id: () => import('./locales/id.json'),
};

/** Makes this the page's language. To be called once, before any words are used (start.ts). */
export async function speak(language: Language, preferred: readonly string[]): Promise<void> {
  region = regionOf(language, preferred);
  if (language === 'en') return;
  const { default: catalogue } = await catalogues[language]();
  i18n.addResourceBundle(language, 'translation', catalogue.translation);
  await i18n.changeLanguage(language);
}

/** The page's language. */
export function spoken(): Language {
  return i18n.language as Language;
}

/** The locale for dates and numbers, for `Intl` and the `toLocale…` methods. */
export function locale(): string {
  return region;
}

/** A number as the reader writes it, with at most so many decimals. */
export function shownCount(value: number, mostDecimals = 3): string {
  return value.toLocaleString(region, { maximumFractionDigits: mostDecimals });
}
