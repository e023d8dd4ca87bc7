import { createInstance, type FormatterModule } from 'i18next';
import type { Language } from './languages.ts';
import spanish from './locales/es.json' with { type: 'json' };
import indonesian from './locales/id.json' with { type: 'json' };
import portuguese from './locales/pt-BR.json' with { type: 'json' };

/** What stands for the {{names}} in a text. Numbers are written as the reader writes them. */
interface Values {
  readonly [name: string]: string | number;
}

/** Translates a text; the English one, written out, is its key. */
export type Translate = <const Text extends string>(text: string extends Text ? never : Text, values?: Values) => string;

export interface Texts {
  readonly language: Language;
  readonly t: Translate;
  /** Translates a text that is in the catalogues without a call of `t`, like those of the kinds of messages. */
  known(english: string): string;
}

export type Languages = (language: Language) => Texts;

/** Numbers in texts are written as in their language. */
const formatter: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown, _format, language) => (typeof value === 'number' ? value.toLocaleString(language) : String(value)),
};

export function createLanguages(): Languages {
  const i18n = createInstance();
  i18n.use(formatter).init({
    // English has no catalogue: its texts are their own keys, and its singular stands beside them.
    fallbackLng: 'en',
    resources: { es: spanish, id: indonesian, 'pt-BR': portuguese },
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    returnEmptyString: false,
    // They are plain text: mails, and answers that pages show.
    interpolation: { escapeValue: false, alwaysFormat: true },
  });
  return (language) => {
    const fixed = i18n.getFixedT(language);
    return {
      language,
      t: (text, values = {}) => fixed(text as string, values),
      // It has no placeholders, even where it looks so.
      known: (english) => fixed(english, { skipInterpolation: true }),
    };
  };
}
