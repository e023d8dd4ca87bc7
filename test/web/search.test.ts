import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { findRequest } from '../../src/accounts/index.ts';
import { violations } from './axe.ts';
import { useBakeryPortal } from './use-portal.ts';

describe('the search of the portal', () => {
  const world = useBakeryPortal();
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
  /** Opens it by its keys, and waits until what is typed goes into it. */
  async function open(page: Page): Promise<void> {
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('textbox').and(page.locator(':focus')).waitFor();
  }
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('opens by Ctrl-K, finds pages, actions and objects, and is used by keyboard alone', { timeout: 300_000 }, async () => {
    const { bakery, portal } = world;
    const { page, ...visitor } = await portal.visitor({ as: bakery.operator });
    await visitor.open('/operator/providers');
    await open(page);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type('plans');
    await palette(page).getByRole('button', { name: 'Plans' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Plans');

    await vi.waitFor(() => findRequest(portal.gateway.app.store, bakery.requestId), { timeout: 60_000, interval: 50 });
    await open(page);
    await page.keyboard.type(bakery.unlinkedId);
    await palette(page).getByRole('button').filter({ hasText: 'Sunrise Bakery' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/operator/numbers/${bakery.unlinkedId}`);

    // A request belongs to an account, which is acted for then.
    await open(page);
    await palette(page).getByRole('button').filter({ hasText: 'Sunrise Bakery' }).waitFor();
    await page.keyboard.type(bakery.requestId);
    await palette(page).getByRole('button', { name: /to \+/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/activity/${bakery.requestId}`);
    await page.getByText(/^You are acting for/).waitFor();
  });

  it('is a box in the head, and a button on phones; a member sees the account\u2019s own', { timeout: 300_000 }, async () => {
    const { bakery, portal } = world;
    const { page, ...visitor } = await portal.visitor({ as: bakery.owner });
    await visitor.open('/usage');
    await page.getByRole('button', { name: 'Search' }).click();
    await palette(page).getByRole('textbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type(bakery.contact);
    await palette(page).getByRole('button', { name: /to \+/ }).first().waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Search' }).click();
    await palette(page).getByRole('textbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('zzz nobody');
    await palette(page).getByText('Nothing has that name.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('add a num');
    await palette(page).getByRole('button', { name: 'Add a number' }).click();
    await page.getByRole('dialog', { name: /number/i }).waitFor();
  });
});
