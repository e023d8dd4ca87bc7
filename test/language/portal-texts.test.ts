import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { t } from '../../web/src/language/language.ts';
import { separators } from '../../web/src/language/separators.ts';
import { Trans } from '../../web/src/language/trans.ts';

const shown = (i18nKey: string, values: Record<string, string | number>, components: Record<string, ReactElement>) =>
  renderToStaticMarkup(createElement(Trans, { i18nKey, values, components }));

it.each(['pt-BR', 'es', 'id'])('a field for numbers in %s has a point between thousands', (locale) => {
  expect(separators(locale)).toEqual({ thousandSeparator: '.', decimalSeparator: ',' });
});

describe('a text of the portal', () => {
  it('has its values in the places of their names, numbers as the reader writes them', () => {
    expect(t('{{shown}} of {{total}} keys', { shown: 3, total: 12_345 })).toBe('3 of 12,345 keys');
  });

  it('is singular for one', () => {
    const numbers = (count: number) => t('{{count}} numbers', { count, defaultValue_one: '{{count}} number' });
    expect([0, 1, 2].map(numbers)).toEqual(['0 numbers', '1 number', '2 numbers']);
  });

  it('takes a name that looks like a placeholder or a tag as it is', () => {
    expect(t('Hello {{name}}', { name: '{{name}} $& <b>' })).toBe('Hello {{name}} $& <b>');
    expect(shown('<b>{{name}}</b> shows a code.', { name: '</b><b>{{name}}' }, { b: createElement('b') })).toBe(
      '<b>&lt;/b&gt;&lt;b&gt;{{name}}</b> shows a code.',
    );
  });

  it('has markup around words, by itself, and within other markup', () => {
    const components = { a: createElement('a'), b: createElement('b'), when: createElement('time', null, 'now') };
    expect(shown('<a>See <b>{{what}}</b></a>, since <when/>.', { what: 'it' }, components)).toBe(
      '<a>See <b>it</b></a>, since <time>now</time>.',
    );
  });
});
