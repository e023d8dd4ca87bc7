import { expect, test } from 'vitest';
import { dayPattern, readDay, writtenDay } from '../../web/src/parts/time/day-text.ts';

test.each([
  ['en-US', '11/02/2026'],
  ['en-GB', '02/11/2026'],
  ['pt-BR', '02/11/2026'],
  ['es', '02/11/2026'],
  ['id', '02/11/2026'],
  ['de', '02.11.2026'],
])('a day is written and read as people write it: %s', (locale, text) => {
  expect(writtenDay('2026-11-02', locale)).toBe(text);
  expect(readDay(text, locale)).toBe('2026-11-02');
});

test.each([
  ['en-US', 'mm/dd/yyyy'],
  ['en-GB', 'dd/mm/yyyy'],
  ['de', 'dd.mm.yyyy'],
])('an empty field says in which order a day is written: %s', (locale, pattern) => {
  expect(dayPattern(locale)).toBe(pattern);
});

test('zeros may be left out, and the stored form is understood', () => {
  expect(readDay(' 2.11.2026 ', 'es')).toBe('2026-11-02');
  expect(readDay('2026-11-02', 'en-US')).toBe('2026-11-02');
  expect(readDay('', 'es')).toBe('');
  expect(writtenDay('', 'es')).toBe('');
});

test.each(['31/02/2026', '02/11/26', '02/11', '02/13/2026', 'today', '02/11/2026/1'])('%s is no day', (text) => {
  expect(readDay(text, 'es')).toBeNull();
});
