import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The texts of one catalogue by their keys. */
function texts(folder: string, language: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(root, folder, `${language}.json`), 'utf8')).translation;
}

/** The English text of a key: the key without its plural form or context. */
const englishOf = (key: string) => key.replace(/_[a-z]+$/, '');

/** What must be the same in every language: placeholders and tags, in any order. */
const parts = (text: string) => (text.match(/\{\{\w+\}\}|<\/?\w+\/?>/g) ?? []).toSorted();

it('the catalogues have every text of the code, and nothing else', () => {
  expect(execFileSync(process.execPath, [join(root, 'scripts/texts.ts'), '--check'], { cwd: root, encoding: 'utf8' })).toBe('');
});

describe.each(['src/language/locales', 'web/src/language/locales'])('%s', (folder) => {
  it.each(['pt-BR', 'es', 'id'])('has a text for every key in %s, with the placeholders and tags of the English one', (language) => {
    const wrong = Object.entries(texts(folder, language)).filter(([key, text]) => {
      const count = (all: string[]) => all.filter((part) => part !== '{{count}}');
      // A form for one may say "one" in words.
      return text.trim() === '' || count(parts(text)).join() !== count(parts(englishOf(key))).join();
    });
    expect(wrong).toEqual([]);
  });
});
