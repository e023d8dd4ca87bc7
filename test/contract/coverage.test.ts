import { describe, expect, test } from 'vitest';
import { contract } from './rules/contract.ts';
import { decisions } from './rules/decisions.ts';
import { titlesWithIds } from './rules/titles.ts';

const sections = [...contract, ...decisions];
const rules = sections.flatMap((section) => Object.keys(section.rules));
const untested = sections.flatMap((section) => Object.keys(section.untested ?? {}));
const named = new Set(titlesWithIds().flatMap(({ ids }) => ids));

describe('the rules of contract.md and decisions.md', () => {
  test('have a test each, or say why they have none', () => {
    expect(rules.filter((rule) => !named.has(rule) && !untested.includes(rule))).toEqual([]);
    // Fewer would mean that the rules were not read.
    expect(rules.length).toBeGreaterThan(350);
  });

  test('give no reason for having none when they have one', () => {
    expect(untested.filter((rule) => named.has(rule) || !rules.includes(rule))).toEqual([]);
  });

  test('have an id of their own', () => {
    expect(rules.filter((rule, place) => rules.indexOf(rule) !== place)).toEqual([]);
  });

  test('are what titles and other sections refer to', () => {
    const referred = [...named, ...sections.flatMap(({ elsewhere = [] }) => elsewhere)];
    expect(referred.filter((id) => !rules.includes(id))).toEqual([]);
  });
});
