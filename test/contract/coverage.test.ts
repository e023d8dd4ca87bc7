import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const place = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The rows of the tables in README.md: a rule, and the tests that hold it or, after a dash, why there are none. */
const rows = readFileSync(place('README.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line !== '| rule | tests |')
  .map((line) => {
    const [rule = '', tests = '', ...rest] = line.slice(2, -2).split(' | ');
    return { rule, tests, rest };
  });

const withTests = rows.filter(({ tests }) => !tests.startsWith('— '));
const reference = /`([^`]+?) › ([^`]+)`(?: \([^()]+\))?/;

test('every row is a rule with references to tests, or says why it has none', () => {
  const list = new RegExp(`^${reference.source}(?:; ${reference.source})*$`);
  expect(withTests.filter(({ rule, tests, rest }) => rule === '' || rest.length > 0 || !list.test(tests))).toEqual([]);
  // Fewer would mean that the tables were not read.
  expect(withTests.length).toBeGreaterThan(250);
});

describe('what is referred to exists', () => {
  const titles = new Map<string, Set<string>>();
  for (const { tests } of withTests) {
    for (const [, file = '', names = ''] of tests.matchAll(new RegExp(reference, 'g'))) {
      const known = titles.get(file) ?? new Set();
      titles.set(file, known);
      for (const name of names.split(' › ')) known.add(name);
    }
  }

  test.each([...titles])('%s', (file, names) => {
    expect(existsSync(place(file))).toBe(true);
    const source = readFileSync(place(file), 'utf8');
    // A title is the first argument of its call, so a comma follows its quotes.
    const missing = [...names].filter((name) => !["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote},`)));
    expect(missing).toEqual([]);
  });
});
