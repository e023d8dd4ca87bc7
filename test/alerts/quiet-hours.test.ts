import { describe, expect, it, test } from 'vitest';
import { isQuiet, readQuietHours } from '../../src/alerts/targets/quiet-hours.ts';

const at = (text: string) => Date.parse(text);

describe('quiet hours', () => {
  it('may go over midnight', () => {
    const hours = readQuietHours('22:00-07:00', 'UTC');
    const quiet = ['2026-01-01T21:59:59Z', '2026-01-01T22:00:00Z', '2026-01-02T06:59:59Z', '2026-01-02T07:00:00Z'].map((text) =>
      isQuiet(hours, at(text)),
    );
    expect(quiet).toEqual([false, true, true, false]);
  });

  it('are in their own time zone, also when its clocks change', () => {
    const hours = readQuietHours('12:00-13:30', 'Europe/Berlin');
    expect(isQuiet(hours, at('2026-01-01T11:15:00Z'))).toBe(true);
    expect(isQuiet(hours, at('2026-07-01T11:15:00Z'))).toBe(true);
    expect(isQuiet(hours, at('2026-07-01T10:15:00Z'))).toBe(true);
    expect(isQuiet(hours, at('2026-01-01T10:15:00Z'))).toBe(false);
  });

  test.each(['22-7', '24:00-07:00', '22:60-07:00', '07:00-07:00', ''])('%j are none', (text) => {
    expect(() => readQuietHours(text, 'UTC')).toThrow('quiet hours must look like 22:00-07:00');
  });

  it('are refused with an unknown time zone', () => {
    expect(() => readQuietHours('22:00-07:00', 'Mars')).toThrow('Mars is not a time zone');
  });
});
