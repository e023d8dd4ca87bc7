import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core';
import { contrast, over, readable, tinted } from './colour.ts';

/** The component library's own grounds. */
const page = { light: '#ffffff', dark: '#242424' } as const;
/** How much of a colour its tints have. */
const tint = { light: 0.12, dark: 0.2 } as const;

/** The shades of a brand's colour, the last one as it was chosen. */
export function shadesOf(colour: string): MantineColorsTuple {
  const shade = (share: number) => tinted(colour, 'white', share);
  return [shade(0.94), shade(0.86), shade(0.74), shade(0.6), shade(0.46), shade(0.34), shade(0.22), shade(0.14), shade(0.07), colour];
}

/** Where a brand's colour is text or a line, it is darker or lighter than it was chosen, as far as reading it needs. */
export function brandVariables(colour: string): ReturnType<CSSVariablesResolver> {
  // Text on it is black or white, whichever can be read; under the pointer it must stay so.
  const away = contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? 'black' : 'white';
  const hover = tinted(colour, away, 0.14);
  const scheme = (name: 'light' | 'dark') => {
    const text = readable(colour, page[name]);
    const ground = over(colour, page[name], tint[name]);
    return {
      '--mantine-color-brand-light': ground,
      '--mantine-color-brand-light-hover': over(colour, page[name], tint[name] * 1.3),
      '--mantine-color-anchor': text,
      '--mantine-color-brand-text': text,
      '--mantine-color-brand-outline': text,
      '--mantine-color-brand-light-color': readable(colour, over(colour, page[name], tint[name] * 1.3)),
    };
  };
  return {
    variables: { '--mantine-color-brand-filled-hover': hover, '--mantine-primary-color-filled-hover': hover },
    light: scheme('light'),
    dark: scheme('dark'),
  };
}
