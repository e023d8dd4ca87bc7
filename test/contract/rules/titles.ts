import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const tests = join(import.meta.dirname, '../..');

/** A test, or a row of its cases, that names the rules it holds. */
export interface TitleWithIds {
  /** Relative to the folder of all tests. */
  readonly file: string;
  /** As it stands in the source, without the ids. */
  readonly title: string;
  readonly ids: readonly string[];
}

const id = /[a-z][a-z-]*\.[a-z0-9-]+/;
/** A string, or what is left of one after an escaped quote, that ends with ids in brackets. */
const title = new RegExp(`(['"\`])((?:(?!\\1).)*)\\[(${id.source}(?: ${id.source})*)\\]\\1`, 'g');

/** Every title in the sources of the tests that ends with ids in brackets: `'answers 413 over 128 KB [body.size]'`. */
export function titlesWithIds(): TitleWithIds[] {
  return globSync('**/*.ts', { cwd: tests })
    .sort()
    .flatMap((file) => titlesIn(readFileSync(join(tests, file), 'utf8')).map((found) => ({ file, ...found })));
}

function titlesIn(source: string): Omit<TitleWithIds, 'file'>[] {
  return source
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
    .flatMap((line) => [...line.matchAll(title)])
    .map(([, , words = '', ids = '']) => ({ title: words.trim(), ids: ids.split(' ') }));
}
