import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { updateBrand } from '../../src/branding/index.ts';
import { at } from '../support/act.ts';
import { memberOf, providerAdmin } from '../support/portal.ts';
import { settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import { goTo } from './steps.ts';
import { usePortal } from './use-portal.ts';

/** So pale that white text on it could not be read. */
const paleYellow = '#ffe066';

describe('the brand of a provider', () => {
  const portal = usePortal();

  it('is set in the portal, and is what its customers see, at its own address before they sign in', async () => {
    const { gateway } = portal;
    const { store } = gateway.app;
    const admin = await providerAdmin(gateway);
    const setting = await portal.visitor({ as: admin });
    await setting.open('/operator/accounts');
    await goTo(setting.page, 'Your brand');
    const [name, sender] = [setting.page.getByLabel('Name', { exact: true }), setting.page.getByLabel('Sender of e-mails')];
    await sender.fill('North Mail');
    const save = setting.page.getByRole('button', { name: 'Save brand' });
    await save.click();
    const saved = setting.page.getByRole('alert').filter({ hasText: 'The brand is saved.' });
    await saved.waitFor();
    // The form goes on from what is stored.
    await save.and(setting.page.locator(':disabled:not([data-loading])')).waitFor();
    await updateBrand(store, admin.providerId, { name: 'Elsewhere' }, at(Date.now()));
    await saved.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => Promise.all([name.inputValue(), sender.inputValue()])).toEqual(['Elsewhere', '']);
    await name.fill('North & Sons');
    await setting.page.getByLabel('Colour', { exact: true }).fill('blue');
    // Left alone, the field forgets what is no colour.
    await setting.page.keyboard.press('Enter');
    await setting.page.getByText('Write the colour as in #0a7b83.').waitFor();
    await setting.page.getByLabel('Colour', { exact: true }).fill(paleYellow);
    await save.click();
    await setting.page.getByText('The brand is saved.').first().waitFor();
    // What is open looks so already.
    await setting.page.getByRole('banner').getByRole('link', { name: 'North & Sons' }).waitFor();
    const buffer = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    await setting.page.getByLabel('Picture for the logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await setting.page.getByText('The logo is saved.').first().waitFor();

    const customer = await gateway.customer({ name: 'Own Bakery' });
    await updateAccount(store, customer.accountId, { providerId: admin.providerId }, at(Date.now()));
    const owner = await memberOf(gateway, customer.accountId, 'owner');
    const address = `http://north.localhost:${new URL(gateway.address).port}`;
    await updateBrand(store, admin.providerId, { base_address: address, base_confirmed: true }, at(Date.now()));
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await portal.visitor({ colorScheme, address });
      const { page } = visitor;
      const branded = async () => {
        await page
          .getByText('North & Sons')
          .or(page.getByRole('link', { name: 'North & Sons' }))
          .first()
          .waitFor();
        await settled(page);
        expect(await page.title()).toContain('North & Sons');
        expect(await page.locator('body').innerText()).not.toContain('Messaging Gateway');
        expect(
          await page
            .locator('img')
            .first()
            .evaluate((image: { naturalWidth: number }) => image.naturalWidth),
        ).toBe(40);
        // Its colour is the only thing that other pages have not.
        expect(await violations(page, 'colours')).toEqual([]);
      };
      await visitor.open('/sign-in');
      await branded();
      await visitor.signIn(owner);
      await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
      await branded();
    }
    // Nobody else does.
    const other = await portal.visitor();
    await other.open('/sign-in');
    expect(await other.page.locator('body').innerText()).not.toContain('North & Sons');
  });
});
