import { describe, expect, it } from 'vitest';
import { settled } from '../support/portal-browser.ts';
import { rounds } from '../support/run-options.ts';
import { filledPages } from './page-list.ts';
import { parts } from './parts.ts';
import { useBakeryPortal } from './use-portal.ts';

/** What would run if a page took a text for something else. Short, because many texts are. */
const attacks = [
  '<img src=x onerror=run()>',
  '"><script>run()</script>',
  'javascript:run()//',
  '<svg onload=run()>',
  '\'"><a href=javascript:run()>',
];
const shortAttacks = ['<b onclick=run()>', '<svg onload=run()>', '<script>run()</script>'];

/** Elements and links that no page makes by itself. */
const traces = `[
  ...document.querySelectorAll('img[src="x"], svg[onload], [onclick], [onerror], [onload], body script:not([src]), a[href^="javascript:" i]'),
].map((element) => element.outerHTML)`;

describe('texts that somebody entered', () => {
  let count = 0;
  const entered = (text: string, most: number) => {
    const own = most < 30 ? '' : text.slice(0, most - 30);
    const attack = (most < 30 ? shortAttacks : attacks)[count++ % (most < 30 ? shortAttacks : attacks).length] ?? '';
    // Buttons and rows of one message differ.
    return `${own}${attack}${String.fromCodePoint(0x41 + (count % 26))}`;
  };
  const world = useBakeryPortal({ entered });

  const pagesOf = (who: 'owner' | 'operator') =>
    Object.values(filledPages)
      .flatMap((of) => of(world.bakery))
      .filter(({ as }) => as === world.bakery[who])
      .map(({ path }) => path);
  /** Who looks at which pages, people with more rights than those who entered the texts included. */
  const looks: readonly (readonly [who: 'owner' | 'operator' | 'admin', part: number, paths: () => readonly string[]])[] = [
    ['owner', 1, () => parts(pagesOf('owner'), 2)[0] ?? []],
    [
      'owner',
      2,
      () => {
        const { instanceId, contact } = world.bakery;
        return [...(parts(pagesOf('owner'), 2)[1] ?? []), `/send?instance_id=${instanceId}`, `/activity?recipient=${contact}`];
      },
    ],
    ['operator', 1, () => pagesOf('operator')],
    ['admin', 1, () => ['/operator/accounts', '/operator/users', '/operator/numbers', '/operator/audit']],
  ];
  const seen = new Set<string>();

  // Without the policy only the pages' own care is left; with it, nothing may even be tried. Short rounds look at the former alone.
  describe.each([true, false].slice(0, rounds({ short: 1, long: 2 })))('without the security policy: %s', (bypassCSP) => {
    it.each(looks)('are shown as texts and nothing of them runs: to the %s, part %i', async (who, _, paths) => {
      const ran: string[] = [];
      const found: string[] = [];
      const visitor = await world.portal.visitor({ as: world.bakery[who], bypassCSP });
      await visitor.context.exposeBinding('run', ({ page }) => void ran.push(page.url()));
      const { page } = visitor;
      for (const [place, path] of paths().entries()) {
        await (place === 0 ? visitor.open(path) : visitor.go(path));
        await page.evaluate("document.querySelectorAll('[aria-haspopup=dialog]').forEach((button) => button.click())");
        await settled(page);
        const text = String(
          await page.evaluate("document.body.innerText + [...document.querySelectorAll('input, textarea')].map((field) => field.value)"),
        );
        const words = text.replaceAll(/\s+/g, ' ');
        for (const entered of world.bakery.texts) if (words.includes(plain(entered))) seen.add(entered);
        found.push(...((await page.evaluate(traces)) as string[]).map((trace) => `${path}: ${trace}`));
      }
      expect(ran).toEqual([]);
      expect(found).toEqual([]);
    });
  });

  it('are all on some page: where a text is not shown, nothing is tested', () => {
    expect(world.bakery.texts.filter((text) => !seen.has(text) && !unseen.some((part) => text.startsWith(part)))).toEqual([]);
  });
});

/** Texts that no page shows: ids that only programs read. */
const unseen = ['yes', 'rye', 'wheat'];

/** A message as a phone shows it: without the signs of its formatting. */
const plain = (text: string) => text.replaceAll(/[*_]/g, '');
