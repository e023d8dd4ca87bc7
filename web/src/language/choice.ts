import type { Language } from '../../../src/portal/wire/index.ts';
import { spoken } from './instance.ts';
import { firstKnown, languages } from './languages.ts';

const remembered = 'language';

/** The language this browser's pages open in: the one that was chosen in it, else the browser's own. */
export function pageLanguage(): Language {
  const stored = localStorage.getItem(remembered);
  return languages.find((language) => language === stored) ?? firstKnown(navigator.languages);
}

/** Remembers the choice in this browser, and loads the page anew when it was another. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(remembered, language);
  if (language !== spoken()) location.reload();
}
