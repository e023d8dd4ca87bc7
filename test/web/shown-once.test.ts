import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { settled } from '../support/portal-browser.ts';
import { useBakeryPortal } from './use-portal.ts';

/** Everything that closes an ordinary dialog, a slip of the hand included. */
async function slip(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
}

// That each stays until its own button is pressed is in dialogs.test.ts.
describe('a value that is shown once', () => {
  const world = useBakeryPortal();

  it('stays on screen when the browser goes back, and the search does not come in front of it', async () => {
    const { page, ...visitor } = await world.portal.visitor({ as: world.bakery.owner });
    await visitor.open('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await dialog.getByRole('group', { name: 'Your new API key' }).locator('code').first().innerText();
    await page.evaluate(`new Promise((done) => {
      addEventListener('popstate', () => done(), { once: true });
      history.back();
    })`);
    await settled(page);
    expect(await dialog.getByText(key, { exact: true }).count()).toBe(1);
    await page.keyboard.press('Control+k');
    await settled(page);
    expect(await page.getByRole('dialog', { name: 'Search' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'I have copied the key' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/keys');
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
  });

  const invitation = {
    path: '/operator/users',
    opener: 'Invite a person',
    request: '**/portal/api/operator/invitations',
    confirm: 'Create invitation',
    async fill(dialog: Locator) {
      await dialog.getByLabel('E-mail address').fill('late@example.com');
      await dialog.getByRole('radio', { name: 'Operator' }).check();
    },
  };
  const account = {
    path: '/operator/accounts',
    opener: 'New account',
    request: '**/portal/api/operator/accounts',
    confirm: 'Create account',
    async fill(dialog: Locator) {
      await dialog.getByLabel('Name').fill('Late Shop');
      await dialog.getByLabel("Owner's e-mail address").fill('later@example.com');
    },
  };

  it.each([invitation, account])('is shown also to somebody who slips while it is being made: $opener', async (making) => {
    const { page, ...visitor } = await world.portal.visitor({ as: world.bakery.operator });
    await visitor.open(making.path);
    const made = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(making.request, async (route) => {
      if (route.request().method() === 'POST') {
        asked.resolve();
        await made.promise;
      }
      await route.continue();
    });
    await page.getByRole('button', { name: making.opener }).click();
    const dialog = page.getByRole('dialog');
    await making.fill(dialog);
    await dialog.getByRole('button', { name: making.confirm }).click();
    await asked.promise;
    // The request leaves the browser a moment before the page shows that it waits for the answer.
    await dialog.getByRole('button', { name: 'Close', exact: true, disabled: true }).waitFor();
    await slip(page);
    made.resolve();
    await dialog.getByRole('button', { name: 'Copy invitation link' }).waitFor();
    await settled(page);
    expect(await dialog.getByRole('button', { name: 'Copy invitation link' }).count()).toBe(1);
  });
});
