import type { Language } from '../../../src/portal/wire/session.ts';
import { spoken } from './instance.ts';
import { firstKnown, languages } from './languages.ts';

const remembered = 'language';
const chosenHere = 'language-chosen-here';

/** The language this browser's pages open in: the one that was chosen in it, else the browser's own. */
export function pageLanguage(): Language {
  const stored = localStorage.getItem(remembered);
  return languages.find((language) => language === stored) ?? firstKnown(navigator.languages);
}

/** Speaks this language from now on: remembers it in this browser, and loads the page anew, or the one at `href`, when it was another; whether it is. */
export function speakFromNowOn(language: Language, href = location.href): boolean {
  if (language === spoken()) return false;
  localStorage.setItem(remembered, language);
  // Where nothing can be remembered the page would be loaded for ever.
  if (localStorage.getItem(remembered) !== language) return false;
  // With a fragment, replacing an address with itself loads nothing.
  if (new URL(href, location.href).href === location.href) location.reload();
  else location.replace(href);
  return true;
}

/** Notes a choice of somebody who has not signed in yet: it is theirs once they have. */
export function chooseBeforeSignIn(language: Language): void {
  sessionStorage.setItem(chosenHere, language);
  localStorage.setItem(remembered, language);
  speakFromNowOn(language);
}

/** The choice that was made in this tab before the sign-in, told once; null: none. */
export function choiceBeforeSignIn(): Language | null {
  const chosen = sessionStorage.getItem(chosenHere);
  sessionStorage.removeItem(chosenHere);
  return languages.find((language) => language === chosen) ?? null;
}
