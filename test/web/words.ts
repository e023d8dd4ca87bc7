import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../web/src/language/locales');

/** A text of the portal, whose English is given, as somebody reads it. */
export type Say = (text: string, values?: Readonly<Record<string, string>>) => string;

/** The portal's texts in a language, out of its catalogue. Throws for a text that it has not. */
export function words(language: string): Say {
  const { translation }: { translation: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(folder, `${language}.json`), 'utf8'),
  );
  return (text, values = {}) => {
    const said = translation[text];
    if (said === undefined) throw new Error(`the catalogue of ${language} has no “${text}”`);
    return said.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
}

/** The texts as they are in English. */
export const english: Say = words('en');
