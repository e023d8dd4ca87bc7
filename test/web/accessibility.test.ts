import { describe, expect, it } from 'vitest';
import type { SignedIn } from '../support/portal.ts';
import { violations } from './axe.ts';
import type { Bakery } from './bakery.ts';
import { speakMarked, unmarked } from './marked-language.ts';
import { emptyPages, filledPages, type Sight } from './page-list.ts';
import { parts } from './parts.ts';
import { useBakeryPortal } from './use-portal.ts';

const asAdmin = ['/operator/accounts', '/operator/users', '/operator/numbers', '/operator/audit'];

/** Pages that one test looks at, which depend on what the bakery has. */
type Some = readonly [title: string, (bakery: Bakery) => readonly Sight[]];

// '/' is another page for each of these.
const { '/': home, ...others } = filledPages;
const some: readonly Some[] = [
  ...(['owner', 'operator', 'admin'] as const).map(
    (who): Some => [`/ of ${who}`, (bakery) => home(bakery).filter(({ as }) => as === bakery[who])],
  ),
  ...parts(Object.entries(others), 26).map(
    (pages): Some => [pages.map(([path]) => path).join(', '), (bakery) => pages.flatMap(([, of]) => of(bakery))],
  ),
  ...parts(emptyPages, 2).map(
    (paths, place): Some => [`of a new account, part ${place + 1}`, ({ newcomer }) => paths.map((path) => ({ path, as: newcomer }))],
  ),
  [
    'of whoever administers accounts',
    ({ admin, operator }) => [...asAdmin.map((path) => ({ path, as: admin })), { path: '/account', as: operator }],
  ],
];

describe('every page', () => {
  const world = useBakeryPortal();

  it.each(some)(
    'has nothing that axe finds wrong, light and dark, fits a phone, and every text of it is in a catalogue: %s',
    async (_, of) => {
      const wrong: string[] = [];
      const look = async (as: SignedIn | null, paths: readonly string[]) => {
        const visitor = await world.portal.visitor(as === null ? {} : { as });
        visitor.expects('404: GET', '410: GET');
        const { page, context } = visitor;
        await speakMarked(context);
        const note = (where: string, found: readonly string[]) => void wrong.push(...found.map((one) => `${where}: ${one}`));
        // Whoever is signed in goes on; otherwise every page is loaded.
        const goTo = async (path: string) => (path === paths[0] || as === null ? visitor.open(path) : visitor.go(path));
        // Page after page in one look, and then in the other: to change the scheme of an open page costs more than to open it again.
        for (const path of paths) {
          await goTo(path);
          note(path, await violations(page));
          note(path, await unmarked(page, world.bakery.texts));
        }
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.setViewportSize({ width: 390, height: 844 });
        await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
        for (const path of paths) {
          await goTo(path);
          note(`${path} on a dark phone`, await violations(page));
          const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
          if (width > 390) wrong.push(`${path}: ${width} px wide on a phone`);
        }
      };
      const by = Map.groupBy(of(world.bakery), ({ as }) => as);
      for (const [as, sights] of by) {
        await look(
          as,
          sights.map(({ path }) => path),
        );
      }
      expect(wrong).toEqual([]);
    },
  );
});
