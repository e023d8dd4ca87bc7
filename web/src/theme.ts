import { type CSSVariablesResolver, createTheme } from '@mantine/core';
import { t } from './language/language.ts';

/** The portal's looks. Colours are chosen so that text on them passes WCAG AA in both schemes. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 9, dark: 9 },
  autoContrast: true,
  // Where black and white text are equally readable.
  luminanceThreshold: 0.179,
  defaultRadius: 'md',
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Named, not imported: dialogs and menus are no part of the first page.
  components: {
    // A chosen value that is too long ends in an ellipsis.
    Input: { styles: { input: { textOverflow: 'ellipsis' } } },
    // Lines of any length would be hard to read on a wide screen.
    Alert: { styles: { message: { maxWidth: '60rem' } } },
    // Its cross has no word of its own, and its head is not the page's.
    Modal: {
      defaultProps: {
        closeButtonProps: { 'aria-label': t('Close') },
        attributes: { header: { role: 'presentation' } },
        radius: 'lg',
        padding: 'lg',
      },
      styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650 } },
    },
    // The options of lists that are closed would be a tenth of what a page with filters takes to draw.
    Combobox: { defaultProps: { keepMounted: false } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') } } },
    // Its placeholder for the focus is not allowed inside a menu. Its entries are in front of notifications, which would cover them for seconds.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, zIndex: 410 } },
    Badge: { styles: { root: { textTransform: 'none' }, label: { fontWeight: 600 } } },
    NavLink: { styles: { root: { borderRadius: 'var(--mantine-radius-md)' } } },
  },
});

/** Mantine's own greys and tints are too faint for small text: these reach 4.5 to 1 on the page and on the tints. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    // Darker under the pointer, not lighter: white text must stay readable.
    '--mantine-color-teal-filled-hover': '#066b4c',
    '--mantine-primary-color-filled-hover': '#066b4c',
    '--mantine-color-red-filled-hover': '#ab2020',
  },
  light: {
    '--mantine-color-dimmed': '#545b62',
    '--mantine-color-placeholder': '#6b7278',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-teal-light-color': '#056a4b',
    '--mantine-color-green-light-color': '#226e32',
    '--mantine-color-lime-light-color': '#3d6407',
    '--mantine-color-orange-light-color': '#a83a08',
    '--mantine-color-yellow-light-color': '#8a4a00',
    '--mantine-color-orange-text': '#c2400c',
    '--mantine-color-green-text': '#237032',
    '--mantine-color-yellow-text': '#a35a00',
  },
  dark: {
    '--mantine-color-dimmed': '#b2b4b8',
    '--mantine-color-placeholder': '#9b9da2',
    '--mantine-color-error': '#ff8787',
  },
});
