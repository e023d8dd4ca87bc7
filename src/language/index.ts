export { acceptedLanguage, type Language, languages, storedLanguage } from './languages.ts';
export { createLanguages, type Languages, type Texts, type Translate } from './texts.ts';
