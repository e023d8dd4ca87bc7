export { acceptedLanguage } from './languages.ts';
export { createLanguages, type Languages, type Texts, type Translate } from './texts.ts';
