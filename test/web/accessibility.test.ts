import { describe, expect, it } from 'vitest';
import type { SignedIn } from '../support/portal.ts';
import { settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import { speakMarked, unmarked } from './marked-language.ts';
import { emptyPages, filledPages, type Sight } from './page-list.ts';
import { useBakeryPortal } from './use-portal.ts';

describe('every page', () => {
  const world = useBakeryPortal();

  /** Who looks at which pages, one browser for each. */
  function sights(): Map<SignedIn | null, string[]> {
    const all: Sight[] = [
      ...Object.values(filledPages).flatMap((of) => of(world.bakery)),
      ...emptyPages.map((path) => ({ path, as: world.bakery.newcomer })),
      ...['/operator/accounts', '/operator/users', '/operator/numbers', '/operator/audit'].map((path) => ({
        path,
        as: world.bakery.admin,
      })),
      { path: '/account', as: world.bakery.operator },
    ];
    const by = new Map<SignedIn | null, string[]>();
    for (const { path, as } of all) by.set(as, [...(by.get(as) ?? []), path]);
    return by;
  }

  it('has nothing that axe finds wrong, light and dark, fits a phone, and every text of it is in a catalogue', {
    timeout: 1_200_000,
  }, async () => {
    const wrong: string[] = [];
    const look = async (as: SignedIn | null, paths: readonly string[]) => {
      const visitor = await world.portal.visitor(as === null ? {} : { as });
      visitor.expects('404: GET', '410: GET');
      const { page, context } = visitor;
      await speakMarked(context);
      const note = (where: string, found: readonly string[]) => void wrong.push(...found.map((one) => `${where}: ${one}`));
      for (const path of paths) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize({ width: 1280, height: 900 });
        await (path === paths[0] ? visitor.open(path) : visitor.go(path));
        note(path, await violations(page));
        note(path, await unmarked(page, world.bakery.texts));
        // A scheme changes colours and nothing else.
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
        await settled(page);
        note(`${path} in the dark`, await violations(page, 'colours'));
        await page.setViewportSize({ width: 390, height: 844 });
        await settled(page);
        note(`${path} on a dark phone`, await violations(page, 'others'));
        const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
        if (width > 390) wrong.push(`${path}: ${width} px wide on a phone`);
      }
    };
    await Promise.all([...sights()].map(([as, paths]) => look(as, paths)));
    expect(wrong).toEqual([]);
  });
});
