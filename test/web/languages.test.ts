import { describe, expect, it } from 'vitest';
import type { SignedIn } from '../support/portal.ts';
import { settled } from '../support/portal-browser.ts';
import { rounds } from '../support/run-options.ts';
import { filledPages } from './page-list.ts';
import { sticksOut } from './too-wide.ts';
import { useBakeryPortal } from './use-portal.ts';

/** Run in the page: what is too wide for it. Texts that may be long, like names, end in dots on purpose; what is pressed must be readable. */
const tooWide = `(() => {
  const found = [...document.querySelectorAll('.mantine-Button-label, .mantine-Tabs-tabLabel, .mantine-SegmentedControl-label, .mantine-Chip-label')]
    .filter((label) => label.scrollWidth > label.clientWidth + 1)
    .map((label) => 'cut off: ' + label.textContent);
  const { scrollWidth } = document.documentElement;
  return scrollWidth > innerWidth ? [...found, scrollWidth + ' px wide'] : found;
})()`;

/** Run in the page: buttons of its colour that another one stands after. Of several the main one is the last. */
const notLast = `[...document.querySelectorAll('main .mantine-Button-root:not([data-variant])')]
  .filter((button) => button.nextElementSibling?.matches('.mantine-Button-root'))
  .map((button) => 'not the last button: ' + button.textContent)`;

const phone = { width: 390, height: 844 };
const desk = { width: 1280, height: 900 };

const languages = ['pt-BR', 'es', 'id'];
/** Each language looks at every page in long rounds, and at a third of them in short ones. */
const looks = languages.flatMap((language, place) =>
  languages.map((_, third) => ({ language, third })).filter(({ third }) => third === place || rounds({ short: 0, long: 1 }) === 1),
);

describe('every page in every language', () => {
  const world = useBakeryPortal();

  // English is looked at with the rules of accessibility.
  it.each(looks)('fits a phone and a desk, its buttons whole, the main one last: $language, $third', async ({ language, third }) => {
    const wrong: string[] = [];
    const pages = Object.values(filledPages)
      .flatMap((of) => of(world.bakery))
      .filter((_, place) => place % languages.length === third);
    const by = Map.groupBy(pages, ({ as }) => as);
    const look = async (as: SignedIn | null, paths: readonly string[]) => {
      const visitor = await world.portal.visitor({ ...phone, ...(as === null ? {} : { as }) });
      visitor.expects('404: GET', '410: GET');
      await visitor.context.addInitScript(`if (origin !== 'null') localStorage.setItem('language', '${language}')`);
      for (const [place, path] of paths.entries()) {
        // Whoever is signed in goes on; before that every page is loaded.
        if (place === 0 || as === null) await visitor.open(path);
        else await visitor.go(path);
        expect(await visitor.page.evaluate('document.documentElement.lang')).toBe(language);
        const found: string[] = await visitor.page.evaluate(tooWide);
        const before: string[] = await visitor.page.evaluate(notLast);
        wrong.push(...[...found, ...before].map((one) => `${path}: ${one}`));
        await visitor.page.setViewportSize(desk);
        await settled(visitor.page);
        const wider: string[] = await visitor.page.evaluate(sticksOut);
        wrong.push(...wider.map((one) => `${path} on a desk: ${one}`));
        await visitor.page.setViewportSize(phone);
      }
    };
    for (const [as, sights] of by) {
      await look(
        as,
        sights.map(({ path }) => path),
      );
    }
    expect(wrong).toEqual([]);
  });
});
