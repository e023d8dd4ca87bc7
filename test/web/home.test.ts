import { describe, expect, it } from 'vitest';
import type { Visitor } from '../support/portal-browser.ts';
import { useBakeryPortal } from './use-portal.ts';

describe('the home page', () => {
  const world = useBakeryPortal();

  /** Presses a line and waits for the page that it leads to. */
  async function follow({ page, go }: Visitor, line: string | RegExp, to: string): Promise<void> {
    await page.getByRole('main').getByRole('link', { name: line }).click();
    await page.waitForURL((url) => url.pathname + url.search === to);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await go('/');
  }

  it('opens first, and each line leads an owner to what it tells of', async () => {
    const { owner, unlinkedId } = world.bakery;
    const visitor = await world.portal.visitor({ as: owner });
    await visitor.open('/');
    expect(new URL(visitor.page.url()).pathname).toBe('/');
    await visitor.page.getByRole('region', { name: 'Needs attention' }).getByText('Christmas market').waitFor();
    await visitor.page.getByText(/^\d+ of \d+ sends failed$/).waitFor();
    await follow(visitor, /^Christmas market/, `/numbers/${unlinkedId}`);
    await follow(visitor, 'See what was not sent', '/activity?outcome=failed');
  });

  it('leads those who administer accounts to the objects of all of them', async () => {
    const { operator, unlinkedId, customer } = world.bakery;
    const visitor = await world.portal.visitor({ as: operator });
    await visitor.open('/');
    await follow(visitor, /^Christmas market of Sunrise Bakery/, `/operator/numbers/${unlinkedId}`);
    await follow(visitor, /^Sunrise Bakery/, `/operator/accounts/${customer.accountId}`);
    await visitor.page.getByRole('link', { name: '1 suspended account' }).click();
    await visitor.page.getByRole('heading', { name: 'Old Mill', level: 1 }).waitFor();
  });

  it('draws the sends of each hour, and a bar leads to those that ended so, by keyboard too', async () => {
    const { owner, operator } = world.bakery;
    const visitor = await world.portal.visitor({ as: owner });
    const { page, open, go } = visitor;
    await open('/');
    const bars = page.getByRole('figure', { name: 'Sends per hour' }).getByRole('link');
    await page.getByRole('radio', { name: /^Refused \(4xx\) [1-9]/ }).press('Space');
    const words = String(await bars.last().getAttribute('aria-label'));
    const [, refused] = /: (\d+) sends?\. Refused \(4xx\) \d+$/.exec(words) ?? [];
    await bars.last().press('Enter');
    await page.waitForURL((url) => url.pathname === '/activity' && url.searchParams.get('outcome') === '4xx');
    const sends = page.getByRole('list', { name: 'Sends' }).getByRole('link');
    await sends.filter({ hasText: 'Mistake in the request' }).first().waitFor();
    expect(await sends.count()).toBe(Number(refused));
    await page.getByRole('button', { name: /remove this filter/ }).click();
    await page.waitForURL((url) => url.search === '?outcome=4xx');

    await go('/');
    await page.getByRole('button', { name: 'Every hour as a table' }).click();
    const rows = page.getByRole('table', { name: 'Sends per hour' }).getByRole('row');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(25);
    await page.getByRole('figure', { name: 'Numbers connected' }).getByRole('link').last().click();
    await page.waitForURL((url) => url.pathname === '/usage' && url.searchParams.has('from'));

    const boss = await world.portal.visitor({ as: operator });
    await boss.open('/');
    await boss.page.getByRole('figure', { name: 'Sends per hour' }).getByRole('link').last().click();
    await boss.page.waitForURL((url) => url.pathname === '/operator/accounts');
    await boss.page.getByRole('link', { name: 'Sunrise Bakery' }).first().waitFor();
    await boss.page.getByRole('button', { name: /^Sends of .*remove this filter/ }).waitFor();
  });

  it('begins with the first steps where nothing has happened yet, and says that all is well', async () => {
    const visitor = await world.portal.visitor({ as: world.bakery.newcomer });
    await visitor.open('/');
    await visitor.page.getByRole('heading', { name: 'Three steps to your first message' }).waitFor();
    await visitor.page.getByText('Everything works. Nothing needs you right now.').waitFor();
    await visitor.page.getByRole('link', { name: 'Home' }).and(visitor.page.locator('[aria-current="page"]')).waitFor();
  });

  it('tells the exact time of an age to the pointer, the keyboard and a finger', async () => {
    const visitor = await world.portal.visitor({ as: world.bakery.owner });
    await visitor.open(`/numbers/${world.bakery.unlinkedId}`);
    const age = visitor.page.getByRole('region', { name: 'State' }).getByRole('button', { name: /ago$/ });
    const exact = visitor.page.getByRole('tooltip').getByText(/\d\d:\d\d:\d\d UTC$/);
    await age.hover();
    await exact.waitFor();
    await visitor.page.mouse.move(0, 0);
    await exact.waitFor({ state: 'hidden' });
    await age.focus();
    await exact.waitFor();
    await visitor.page.keyboard.press('Escape');
    await exact.waitFor({ state: 'hidden' });
  });
});
