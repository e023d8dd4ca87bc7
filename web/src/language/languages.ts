import type { Language } from '../../../src/portal/wire/session.ts';

/** The languages of the portal, each under its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  'pt-BR': 'Português (Brasil)',
  es: 'Español',
  id: 'Bahasa Indonesia',
};

export const languages = Object.keys(languageNames) as readonly Language[];

/** The portal's language for one of a browser, like `pt` or `es-MX`; undefined when it has none for it. */
function ofTag(tag: string): Language | undefined {
  const [asked] = tag.toLowerCase().split('-');
  return languages.find((language) => language.toLowerCase().split('-')[0] === asked);
}

/** The first of these that the portal speaks. */
export function firstKnown(tags: readonly string[]): Language {
  for (const tag of tags) {
    const language = ofTag(tag);
    if (language !== undefined) return language;
  }
  return 'en';
}

/** How dates and numbers are written: as in the reader's own country when the browser asks for this language, like `en-GB` for English. */
export function regionOf(language: Language, tags: readonly string[]): string {
  return tags.find((tag) => tag.includes('-') && ofTag(tag) === language) ?? language;
}
