import { describe, expect, it } from 'vitest';
import { languages } from '../../web/src/language/languages.ts';
import { expectOk, memberOf, operator } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';
import { words } from './words.ts';

describe('before the scripts of the pages are there', () => {
  const portal = usePortal();

  it.each(['light', 'dark'] as const)('the frame is painted without them and without their styles, %s', async (colorScheme) => {
    const { page } = await portal.visitor({ colorScheme });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/assets\/(?!before-pages|shell)[^/]*\.(js|css)$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${portal.gateway.address}/sign-in`, { waitUntil: 'commit' });
    await page.locator('.shell').waitFor();
    await page.evaluate("new Promise((done) => new PerformanceObserver(done).observe({ type: 'paint', buffered: true }))");
    expect(await page.evaluate("getComputedStyle(document.querySelector('.shell')).backgroundColor")).toBe(
      colorScheme === 'dark' ? 'rgb(36, 36, 36)' : 'rgb(255, 255, 255)',
    );
    release();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.locator('.shell').count()).toBe(0);
  });
});

interface Room {
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

interface Row {
  getBoundingClientRect(): { readonly height: number };
}

/** Run in the page: the different heights of these rows. */
const heights = (rows: readonly unknown[]) => [
  ...new Set((rows as readonly Row[]).map((row) => Math.round(row.getBoundingClientRect().height))),
];
/** Run in the page: how much of it is out of sight. */
const hidden = ({ scrollHeight, clientHeight }: Room) => scrollHeight - clientHeight;

describe('the menu', () => {
  const portal = usePortal();

  it('of an operator who acts for an account is in sight as a whole on a screen of 800 px, and scrolled to on a lower one', async () => {
    const { accountId } = await portal.gateway.customer();
    const visitor = await portal.visitor({ as: await operator(portal.gateway), width: 1280, height: 800 });
    await visitor.open(`/numbers?account=${accountId}`);
    const menu = visitor.page.getByRole('navigation', { name: 'Pages', exact: true });
    await menu.getByRole('link', { name: 'Health' }).waitFor();
    const rows = menu.getByRole('link');
    expect(await rows.count()).toBe(18);
    expect(await menu.evaluate(hidden)).toBe(0);
    expect(await rows.evaluateAll(heights)).toEqual([32]);
    await visitor.page.setViewportSize({ width: 1280, height: 500 });
    expect(await menu.evaluate(hidden)).toBeGreaterThan(0);
    expect(await rows.evaluateAll(heights)).toEqual([32]);
  });

  it('can be skipped: the title of the page is below the head then', async () => {
    const { accountId } = await portal.gateway.customer();
    const { page, ...visitor } = await portal.visitor({ as: await memberOf(portal.gateway, accountId), height: 400 });
    await visitor.open('/usage');
    const title = page.getByRole('heading', { name: 'Usage', level: 1 });
    const top = async () => (await title.boundingBox())?.y;
    await page.evaluate('scrollTo(0, 200)');
    expect(await top()).toBeLessThan(0);
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    const head = await page.getByRole('banner').boundingBox();
    await expect.poll(top).toBeGreaterThanOrEqual(head?.height ?? Number.NaN);
  });

  it('of a phone closes by a choice, by Escape, and when the window has room for the page beside it', async () => {
    const { accountId } = await portal.gateway.customer();
    const { page, ...visitor } = await portal.visitor({ as: await memberOf(portal.gateway, accountId), width: 390, height: 844 });
    await visitor.open('/usage');
    const opener = page.getByRole('button', { name: 'Open the navigation' });
    const menu = page.getByRole('navigation', { name: 'Pages', exact: true });
    const opened = async () => {
      await opener.click();
      await menu.waitFor();
    };
    const closed = () => menu.waitFor({ state: 'hidden' });
    await opened();
    await page.keyboard.press('Escape');
    await closed();
    await opener.and(page.locator(':focus')).waitFor();
    await opened();
    await page.getByRole('banner').getByRole('link').click();
    await closed();
    await opened();
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole('button', { name: 'Close the navigation' }).waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 390, height: 844 });
    await opener.waitFor();
    await closed();
  });

  it('names each page differently, in every language', async () => {
    const { accountId } = await portal.gateway.customer();
    const boss = await operator(portal.gateway);
    const visitor = await portal.visitor({ as: boss });
    for (const language of languages) {
      expectOk(await boss.call('PUT', '/portal/api/language', { body: { language } }));
      await visitor.open(`/numbers?account=${accountId}`);
      const menu = visitor.page.getByRole('navigation', { name: words(language)('Pages'), exact: true });
      await menu.getByRole('link', { name: words(language)('Health'), exact: true }).waitFor();
      const names = await menu.getByRole('link').allTextContents();
      expect(names, language).toEqual([...new Set(names)]);
    }
  });
});

describe('the field that leads to another account', () => {
  const portal = usePortal();

  it('has its room in the head before its script is there', async () => {
    const { page } = await portal.visitor({ as: await operator(portal.gateway) });
    const released = Promise.withResolvers<void>();
    await page.route(/\/assets\/account-select-[^/]*\.js$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto(`${portal.gateway.address}/operator/accounts`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    const room = await page.getByRole('banner').locator('.mantine-Skeleton-root').boundingBox();
    released.resolve();
    const field = page.getByRole('combobox', { name: 'Switch account' });
    await field.waitFor();
    expect(await field.boundingBox()).toEqual(room);
  });
});
