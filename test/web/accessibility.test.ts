import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SignedIn } from '../support/portal.ts';
import { type Portal, settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import type { Bakery } from './bakery.ts';
import { type BakeryPortal, startBakeryPortal } from './bakery-portal.ts';
import { emptyPages, filledPages, type Sight } from './page-list.ts';

describe('every page', () => {
  let started: BakeryPortal;
  let portal: Portal;
  let bakery: Bakery;
  beforeAll(async () => {
    started = await startBakeryPortal();
    ({ portal, bakery } = started);
  }, 300_000);
  afterEach(async () => expect(await portal.leave()).toEqual([]));
  afterAll(async () => {
    await started?.stop();
  });

  /** Who looks at which pages, one browser for each. */
  function sights(): Map<SignedIn | null, string[]> {
    const all: Sight[] = [
      ...Object.values(filledPages).flatMap((of) => of(bakery)),
      ...emptyPages.map((path) => ({ path, as: bakery.newcomer })),
      ...['/operator/accounts', '/operator/users', '/operator/numbers', '/operator/audit'].map((path) => ({ path, as: bakery.admin })),
      { path: '/account', as: bakery.operator },
    ];
    const by = new Map<SignedIn | null, string[]>();
    for (const { path, as } of all) by.set(as, [...(by.get(as) ?? []), path]);
    return by;
  }

  it.each(['light', 'dark'] as const)(
    'has nothing that axe finds wrong, and fits a phone, %s',
    async (colorScheme) => {
      const wrong: string[] = [];
      const look = async (as: SignedIn | null, paths: readonly string[]) => {
        const visitor = await portal.visitor({ colorScheme, ...(as === null ? {} : { as }) });
        visitor.expects('404: GET', '410: GET');
        const { page } = visitor;
        for (const path of paths) {
          await page.setViewportSize({ width: 1280, height: 900 });
          await visitor.open(path);
          wrong.push(...(await violations(page)).map((one) => `${path}: ${one}`));
          await page.setViewportSize({ width: 390, height: 844 });
          await settled(page);
          const width = await page.evaluate('document.documentElement.scrollWidth');
          if (Number(width) > 390) wrong.push(`${path}: ${width} px wide on a phone`);
          if (colorScheme === 'dark') wrong.push(...(await violations(page)).map((one) => `${path} on a phone: ${one}`));
        }
      };
      await Promise.all([...sights()].map(([as, paths]) => look(as, paths)));
      expect(wrong).toEqual([]);
    },
    300_000,
  );
});
