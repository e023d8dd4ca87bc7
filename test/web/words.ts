import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../web/src/language/locales');

/** A text of the portal, whose English is given, as somebody reads it. */
export type Say = (text: string, values?: Readonly<Record<string, string>>) => string;

/** The portal's texts in a language, out of its catalogue; English has none, its texts are the keys of the others without context and form. Throws for an unknown text. */
export function words(language: string): Say {
  const file = join(folder, `${language === 'en' ? 'es' : language}.json`);
  const { translation }: { translation: Readonly<Record<string, string>> } = JSON.parse(readFileSync(file, 'utf8'));
  return (text, values = {}) => {
    const translated = translation[text];
    if (translated === undefined) throw new Error(`the catalogue for ${language} has no “${text}”`);
    const said = language === 'en' ? text.replace(/_[a-z]+$/, '') : translated;
    return said.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
}

/** The texts as they are in English. */
export const english: Say = words('en');
