import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Portal, settled } from '../support/portal-browser.ts';
import type { Bakery } from './bakery.ts';
import { type BakeryPortal, startBakeryPortal } from './bakery-portal.ts';
import { dialogs } from './dialogs.ts';

/** Everything that closes an ordinary dialog, a slip of the hand included. */
async function slip(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
}

describe('a value that is shown once', () => {
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

  it.each(dialogs.filter(({ shownOnce }) => shownOnce !== undefined))(
    'stays on screen until its own button is pressed: $name',
    async ({ who, path, open, shownOnce = '' }) => {
      const { page, ...visitor } = await portal.visitor({ as: bakery[who] });
      await visitor.open(path);
      await open(page, bakery[who].password);
      const dialog = page.getByRole('dialog');
      const value = await dialog.locator('code, pre').first().innerText();
      await slip(page);
      await settled(page);
      expect(await dialog.getByText(value, { exact: true }).count()).toBe(1);
      expect(await dialog.getByRole('button', { name: 'Close', exact: true }).count()).toBe(0);
      await dialog.getByRole('button', { name: shownOnce }).click();
      await dialog.waitFor({ state: 'hidden' });
    },
    60_000,
  );

  it('is shown also to somebody who slips while it is being made', async () => {
    const { page, ...visitor } = await portal.visitor({ as: bakery.operator });
    await visitor.open('/operator/users');
    const made = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route('**/portal/api/operator/invitations', async (route) => {
      asked.resolve();
      await made.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail address').fill('late@example.com');
    await dialog.getByRole('radio', { name: 'Operator' }).check();
    await dialog.getByRole('button', { name: 'Make invitation' }).click();
    await asked.promise;
    await slip(page);
    made.resolve();
    await dialog.getByRole('button', { name: 'Copy invitation link' }).waitFor();
    await settled(page);
    expect(await dialog.getByRole('button', { name: 'Copy invitation link' }).count()).toBe(1);
  });
});
