import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, over, readable } from '../../web/src/brand/colour.ts';
import { brandVariables, shadesOf } from '../../web/src/brand/palette.ts';

const colours = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
const aa = 4.5;

describe('the colour of a brand', () => {
  it('is told apart as WCAG says', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrast('#ffd400', '#ffd400')).toBe(1);
  });

  it('is readable as text in both schemes, on the page and on its own tint, whatever it is', () => {
    fc.assert(
      fc.property(colours, (colour) => {
        const variables = brandVariables(colour);
        for (const [scheme, page, share] of [
          ['light', '#ffffff', 0.12],
          ['dark', '#242424', 0.2],
        ] as const) {
          const own = variables[scheme];
          expect(contrast(own['--mantine-color-brand-text'] ?? '', page)).toBeGreaterThanOrEqual(aa);
          expect(contrast(own['--mantine-color-anchor'] ?? '', page)).toBeGreaterThanOrEqual(aa);
          expect(own['--mantine-color-brand-light']).toBe(over(colour, page, share));
          const onTint = own['--mantine-color-brand-light-color'] ?? '';
          expect(contrast(onTint, own['--mantine-color-brand-light-hover'] ?? '')).toBeGreaterThanOrEqual(aa);
        }
      }),
    );
  });

  it('carries black or white text that stays readable under the pointer', () => {
    fc.assert(
      fc.property(colours, (colour) => {
        const hover = brandVariables(colour).variables['--mantine-primary-color-filled-hover'] ?? '';
        const text = contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000';
        for (const ground of [colour, hover]) expect(contrast(text, ground)).toBeGreaterThanOrEqual(aa);
      }),
    );
  });

  it('stays as it was chosen where it can be read', () => {
    expect(readable('#087f5b', '#ffffff')).toBe('#087f5b');
    expect(shadesOf('#ffd400').at(-1)).toBe('#ffd400');
    expect(shadesOf('#ffd400')).toHaveLength(10);
  });
});
