import { type CSSVariablesResolver, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { cssVariablesResolver, theme } from '../theme.ts';
import { useBrand } from './brand.ts';
import { brandVariables, shadesOf } from './palette.ts';

/** Everything on the page in the colours of the brand, and its icon in the browser's tab. */
export function Branded({ children }: { readonly children: ReactNode }) {
  const { colour, logo } = useBrand();
  const looks = useMemo(() => looksOf(colour), [colour]);
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (icon === null || icon.getAttribute('href') === logo) return;
    icon.type = logo.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
    icon.href = logo;
  }, [logo]);
  return (
    <MantineProvider {...looks} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}

/** The theme with the brand's colour in the place of the gateway's. */
function looksOf(colour: string | null) {
  if (colour === null) return { theme, cssVariablesResolver };
  const own = brandVariables(colour);
  const resolver: CSSVariablesResolver = (merged) => {
    const usual = cssVariablesResolver(merged);
    return {
      variables: { ...usual.variables, ...own.variables },
      light: { ...usual.light, ...own.light },
      dark: { ...usual.dark, ...own.dark },
    };
  };
  return {
    theme: mergeThemeOverrides(theme, { primaryColor: 'brand', colors: { brand: shadesOf(colour) } }),
    cssVariablesResolver: resolver,
  };
}
