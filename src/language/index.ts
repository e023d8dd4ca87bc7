export { acceptedLanguage } from './languages.ts';
export { createLanguages, type Languages, type Translate } from './texts.ts';
