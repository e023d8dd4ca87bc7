import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findRequest } from '../../src/requests/index.ts';
import { expectOk } from '../support/portal.ts';
import { waitFor } from '../support/wait-for.ts';
import { useBakeryPortal } from './use-portal.ts';

describe('the search of the portal', () => {
  const world = useBakeryPortal();
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
  /** Opens it by its keys, and waits until what is typed goes into it. */
  async function open(page: Page): Promise<void> {
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('textbox').and(page.locator(':focus')).waitFor();
  }
  /** Types it, and waits until what is shown was found for it. */
  async function type(page: Page, text: string): Promise<void> {
    await page.keyboard.type(text);
    await palette(page).locator('[aria-busy=false]').waitFor();
  }
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('that did not come, as after an upgrade, comes when the page is tried again', async () => {
    const { bakery, portal } = world;
    const { page, ...visitor } = await portal.visitor({ as: bakery.operator });
    visitor.expects('/assets/palette-');
    await visitor.open('/operator/providers');
    const script = /\/assets\/palette-[^/]*\.js$/;
    await page.route(script, (route) => route.fulfill({ status: 404 }));
    await page.keyboard.press('Control+k');
    await heading(page, 'This page could not be shown');
    await page.unroute(script);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, 'Providers');
    await open(page);
  });

  it('opens by Ctrl-K, finds pages, actions and objects, and is used by keyboard alone', async () => {
    const { bakery, portal } = world;
    const { page, ...visitor } = await portal.visitor({ as: bakery.operator });
    await visitor.open('/operator/providers');
    await open(page);
    await type(page, 'plans');
    const plans = palette(page).getByRole('button', { name: 'Plans' });
    await plans.waitFor();
    // It brings the styles of its library along.
    expect(await plans.evaluate('(choice) => getComputedStyle(choice).paddingTop')).not.toBe('0px');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Plans');

    await waitFor(() => findRequest(portal.gateway.app.store, bakery.requestId));
    await open(page);
    await type(page, bakery.unlinkedId);
    await palette(page).getByRole('button').filter({ hasText: 'Sunrise Bakery' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/operator/numbers/${bakery.unlinkedId}`);

    // A person has a page too.
    await open(page);
    await type(page, 'mia@example.com');
    await palette(page).getByRole('button', { name: 'Mia Baker' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/operator/users/${bakery.owner.userId}`);

    // What is gone leads to who ended it.
    const { call } = bakery.customer;
    const { instance_id } = expectOk(await call('POST', '/v1/instances', { label: 'Old Counter' })).body.data;
    expectOk(await call('DELETE', `/v1/instances/${instance_id}`));
    await open(page);
    await type(page, 'counter');
    await palette(page)
      .getByRole('button', { name: /deleted the number Old Counter/ })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/operator\/audit\?name=Old(\+|%20)Counter/);
    await page.getByRole('list', { name: 'Changes' }).getByText('added the number').waitFor();

    // A request belongs to an account, which is acted for then.
    await open(page);
    await palette(page).getByRole('button').filter({ hasText: 'Sunrise Bakery' }).waitFor();
    await type(page, bakery.requestId);
    await palette(page).getByRole('button', { name: /to \+/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/activity/${bakery.requestId}?account=${bakery.customer.accountId}`);
    await page.getByText(/^You are acting for/).waitFor();
  });

  it('loses nothing of what is typed before it is there', async () => {
    const { bakery, portal } = world;
    const { page, ...visitor } = await portal.visitor({ as: bakery.operator });
    await visitor.open('/operator/providers');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('plans');
    await palette(page).getByRole('button', { name: 'Plans' }).waitFor();
    await palette(page).getByRole('textbox').and(page.locator(':focus')).waitFor();
    expect(await palette(page).getByRole('textbox').inputValue()).toBe('plans');
  });

  it('opens nothing that was found for the beginning of what is typed', async () => {
    const { bakery, portal } = world;
    const { page, ...visitor } = await portal.visitor({ as: bakery.operator });
    await visitor.open('/operator/providers');
    await open(page);
    await type(page, 'Sunrise Bakery');
    const found = palette(page).getByRole('button').filter({ hasText: 'Sunrise Bakery' }).first();
    await found.waitFor();
    const goOn = Promise.withResolvers<void>();
    await page.route('**/portal/api/search?*', async (route) => {
      await goOn.promise;
      await route.continue();
    });
    await page.keyboard.type(' and nothing else');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await found.isVisible()).toBe(true);
    goOn.resolve();
    await palette(page).getByText('Nothing has that name.').waitFor();
  });

  it('is a box in the head, and a button on phones; a member sees the account\u2019s own', async () => {
    const { bakery, portal } = world;
    const { page, ...visitor } = await portal.visitor({ as: bakery.owner });
    await visitor.open('/usage');
    await page.getByRole('button', { name: 'Search' }).click();
    await palette(page).getByRole('textbox').and(page.locator(':focus')).waitFor();
    await type(page, bakery.contact);
    await palette(page).getByRole('button', { name: /to \+/ }).first().waitFor();
    await page.keyboard.press('Control+a');
    await type(page, 'Web shop');
    await palette(page).getByRole('button', { name: 'Web shop' }).click();
    await page.waitForURL(`**/keys/${bakery.keyId}`);
    await open(page);
    await type(page, 'mia@example.com');
    await palette(page).getByRole('button', { name: 'Mia Baker' }).click();
    await page.waitForURL('**/account/members/*');
    await page.getByRole('heading', { level: 1, name: 'Mia Baker' }).waitFor();
    await open(page);
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Search' }).click();
    await palette(page).getByRole('textbox').and(page.locator(':focus')).waitFor();
    await type(page, 'zzz nobody');
    await palette(page).getByText('Nothing has that name.').waitFor();
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeLessThanOrEqual(390);
    await page.keyboard.press('Control+a');
    await type(page, 'add a num');
    await palette(page).getByRole('button', { name: 'Add a number' }).click();
    await page.getByRole('dialog', { name: /number/i }).waitFor();
  });
});
