import { buffer } from 'node:stream/consumers';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { createAccount, setDefaultPlan } from '../../src/accounts/index.ts';
import { addSends } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { operator, personAt } from '../support/portal.ts';
import { goTo } from './steps.ts';
import { sticksOut } from './too-wide.ts';
import { usePortal } from './use-portal.ts';

describe("a reseller's customers in the portal", () => {
  // Nobody listens there.
  const portal = usePortal({ env: { NETWORKS: 'sandbox,whatsapp', WHATSAPP_URL: 'ws://127.0.0.1:1', WHATSAPP_WORKERS: '1' } });
  const now = () => at(portal.gateway.clock.now());

  it('an account is made with its owner, on the default plan, with a note, and the invitation is sent again', async () => {
    const { gateway } = portal;
    await setDefaultPlan(gateway.app.store, 'starter', true, now());
    const visitor = await portal.visitor({ as: await operator(gateway) });
    const { page } = visitor;
    await visitor.open('/operator/accounts');
    await page.getByRole('button', { name: 'New account' }).click();
    const dialog = page.getByRole('dialog');
    const plan = dialog.getByRole('combobox', { name: 'Plan' });
    await expect.poll(() => plan.inputValue()).toBe('starter – 60 messages per minute, 3 numbers');
    await plan.click();
    await page.getByRole('option', { name: 'trial – 30 messages per minute, 1 number, 100 messages in total' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByLabel('Name').fill('Corner Shop');
    await dialog.getByLabel("Owner's e-mail address").fill('ann@example.com');
    await dialog.getByLabel('Reference').fill('C-7');
    await dialog.getByRole('button', { name: 'Create account' }).click();
    await dialog.getByText('The account Corner Shop is created, and its owner is invited.').waitFor();
    const link = dialog.getByText(/^https?:.*\/link\//);
    const first = await link.innerText();
    await dialog.getByRole('button', { name: 'Make a new link' }).click();
    await expect.poll(() => link.innerText()).not.toBe(first);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Corner Shop', level: 1 }).waitFor();

    await page.getByRole('textbox', { name: 'Note' }).fill('Pays late. <b>Call</b> first.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('The note is saved.').first().waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Pays late. <b>Call</b> first.');

    await page.getByRole('button', { name: 'Send again: ann@example.com' }).click();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByText('No e-mail was sent.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await setDefaultPlan(gateway.app.store, 'starter', false, now());
  });

  it('accounts come from a file: checked first, with every mistake at its line', async () => {
    const { gateway } = portal;
    const visitor = await portal.visitor({ as: await operator(gateway) });
    const { page } = visitor;
    await visitor.open('/operator/accounts');
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog');
    const csv = 'name,plan,owner_email\n"Äpfel;=1+1",starter,bo@example.com\n=HYPERLINK(1),gold,\nPear Farm,,\n';
    const choose = () =>
      dialog.locator('input[type=file]').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    // One that has been moved meanwhile.
    await page.evaluate('globalThis.readText = Blob.prototype.text; Blob.prototype.text = async () => { throw new Error("gone"); };');
    await choose();
    await dialog.getByText('The file could not be read. Choose it again.').waitFor();
    await page.evaluate('Blob.prototype.text = globalThis.readText;');
    await choose();
    await dialog.getByText('2 accounts can be imported.').waitFor();
    expect(await dialog.getByRole('group', { name: 'Lines with mistakes' }).innerText()).toContain('plan: there is no plan "gold"');
    // The same file can be chosen again once its mistakes are corrected: browsers tell only of another one.
    const choosing = page.waitForEvent('filechooser');
    await dialog.getByLabel('File', { exact: true }).click();
    await choosing;
    expect(await dialog.locator('input[type=file]').inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Import 2 accounts' }).click();
    await dialog.getByText('2 accounts are created.').waitFor();
    // A table like the server's: in UTF-8 for every spreadsheet, and with nothing that one would run.
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download the links' }).click();
    const links = (await buffer(await (await download).createReadStream())).toString();
    expect(links).toMatch(/^\uFEFF"account","owner_email","link"\r\n"Äpfel;'=1\+1","bo@example.com","http.*\/link\/.*"\r\n$/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Pear Farm' }).waitFor();
    // The same file once more makes nothing.
    await page.getByRole('button', { name: 'Import' }).click();
    await choose();
    await dialog.getByText('2 already exist and stay as they are.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Import 0 accounts' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('numbers of another program come from an archive, and what is in it is shown first', async () => {
    await portal.gateway.customer({ name: 'Corner Bakery' });
    const { page, ...visitor } = await portal.visitor({ as: await operator(portal.gateway) });
    await visitor.open('/operator/numbers');
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Import' }).click();
    await main.getByRole('combobox', { name: 'Account' }).click();
    await page.getByRole('option', { name: 'Corner Bakery' }).click();
    const archive = Buffer.from(zipSync({ 'shop/creds.json': Buffer.from('{}') }));
    await main.locator('input[type=file]').last().setInputFiles({ name: 'sessions.zip', mimeType: 'application/zip', buffer: archive });
    await main.getByRole('button', { name: 'Check the file' }).click();
    await main.getByText('Can be imported: 0 of 1. Nothing was changed.').waitFor();
    const table = main.getByRole('table', { name: 'Numbers that were found' });
    expect(await table.getByRole('row').nth(1).innerText()).toMatch(/^shop\b.*its credentials are not of Baileys/s);
    expect(await main.getByRole('button', { name: 'Import 0 numbers' }).isDisabled()).toBe(true);
    await main.getByRole('button', { name: 'Remove the file' }).click();
    await table.waitFor({ state: 'hidden' });
  });

  it('usage of all accounts is sorted, searched and paged by the server, and kept in the address', async () => {
    const { gateway } = portal;
    const { store } = gateway.app;
    const admin = await personAt(gateway, { role: 'provider_admin', providerId: 'default' });
    const today = new Date(gateway.clock.now()).toISOString().slice(0, 10);
    for (let one = 1; one <= 60; one++) {
      const { id } = await createAccount(store, { name: `Customer ${one}`, plan: 'business' }, now());
      await addSends(store.db, { accountId: id, day: today, type: 'text', count: one * 1000 });
    }
    const visitor = await portal.visitor({ as: admin });
    const { page } = visitor;
    await visitor.open('/operator/accounts');
    await page.getByRole('region', { name: 'Numbers of default' }).waitFor();
    await goTo(page, 'Usage of accounts');
    const table = page.getByRole('table', { name: 'Usage of accounts' });
    await table.getByRole('button', { name: 'Messages' }).click();
    await expect.poll(() => table.getByRole('rowheader').first().innerText()).toBe('Customer 60');
    expect(await table.getByRole('row').nth(1).innerText()).toContain('60,000');
    expect(new URL(page.url()).search).toContain('order=sends');
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.waitForURL(/page=2/);
    await page.reload();
    await table.waitFor();

    // A phone has no heads to press, and shows a card for each account.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'By name' }).click();
    await page.waitForURL(/order=name/);
    await expect.poll(() => table.getByRole('rowheader').first().innerText()).not.toBe('Customer 60');
    expect(await page.evaluate(sticksOut)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });

    await page.getByRole('searchbox', { name: 'Find an account' }).fill('Customer 7');
    await expect.poll(() => table.getByRole('rowheader').allInnerTexts()).toEqual(['Customer 7']);
    const csv = await page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href');
    expect(csv).toMatch(/^\/portal\/api\/operator\/usage\.csv\?from=\d{4}-\d\d-01&to=.*search=Customer\+7/);
  });

  it('another account is found from any page by its name, and opens on the same page', async () => {
    const { gateway } = portal;
    await Promise.all([gateway.customer({ name: 'Harbour Books' }), gateway.customer({ name: 'Mountain Tea' })]);
    const visitor = await portal.visitor({ as: await operator(gateway) });
    const { page } = visitor;
    await visitor.open('/operator/accounts');
    const switcher = page.getByRole('combobox', { name: 'Switch account' });
    await switcher.fill('harbour');
    await page.getByRole('option', { name: 'Harbour Books' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('You are acting for Harbour Books').waitFor();
    await goTo(page, 'API keys');
    await switcher.fill('mountain');
    await page.getByRole('option', { name: 'Mountain Tea' }).click();
    await page.getByText('You are acting for Mountain Tea').waitFor();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  });

  it('an import that breaks off says what is left, and the same file goes on from there', async () => {
    const visitor = await portal.visitor({ as: await operator(portal.gateway) });
    const { page } = visitor;
    visitor.expects('/portal/api/operator/accounts/import net::ERR_FAILED');
    const importing = '**/portal/api/operator/accounts/import';
    // One more than a request imports.
    await page.route(importing, (route) => (route.request().postDataJSON().after_line > 0 ? route.abort() : route.continue()));
    await visitor.open('/operator/accounts');
    const dialog = page.getByRole('dialog');
    const lines = Array.from({ length: 51 }, (_, one) => `Zone ${one},${one === 50 ? 'zoe@example.com' : ''}`);
    const file = { name: 'zones.csv', mimeType: 'text/csv', buffer: Buffer.from(`name,owner_email\n${lines.join('\n')}\n`) };
    const start = async (count: string) => {
      await page.getByRole('button', { name: 'Import' }).click();
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.getByRole('button', { name: `Import ${count}` }).click();
    };
    await start('51 accounts');
    await dialog.getByRole('alert').getByText('The import stopped with 1 account left').waitFor();
    await dialog.getByText('50 accounts are created.').waitFor();
    await dialog.getByText('Import the same file again.').waitFor();
    await dialog.getByText('their owners may have received no link').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.unroute(importing);
    await start('1 account');
    await dialog.getByText('1 account is created.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });
});
