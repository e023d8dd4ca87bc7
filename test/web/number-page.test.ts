import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { memberOf, type SignedIn } from '../support/portal.ts';
import { type Portal, startPortal } from '../support/portal-browser.ts';
import { refuseRows } from '../support/refused-writes.ts';
import { ScriptedNetwork } from '../support/scripted-network.ts';
import { waitFor } from '../support/wait-for.ts';

const network = new ScriptedNetwork();
let portal: Portal;
let customer: Customer;
let owner: SignedIn;
beforeAll(async () => {
  portal = await startPortal({ overrides: { networks: () => [network] } });
  customer = await portal.gateway.customer();
  owner = await memberOf(portal.gateway, customer.accountId, 'owner');
});
afterAll(() => portal?.stop());

/** Opens a dialog with this button, closes it, and waits for the button to have the focus again. */
async function openAndClose(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await button.click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await button.and(page.locator(':focus')).waitFor();
}

it('a row leads to the page of its number, which says what happened and what to do, and follows what happens', async () => {
  const { instance_id } = (await customer.call('POST', '/v1/instances', { label: 'Front desk' })).body.data;
  await customer.call('POST', '/v1/instances', { label: 'Spare phone' });
  await network.link(instance_id).pairs('491710001500');
  await customer.reaches(instance_id, 'open');

  const { page, open } = await portal.visitor({ as: owner });
  await open('/numbers');
  // Its script comes only now.
  await openAndClose(page, 'Add number');
  await page.getByRole('link', { name: 'Front desk', exact: true }).click();
  await page.getByRole('heading', { name: 'Front desk', level: 1 }).waitFor();
  await page.getByText('The number is connected and can send.').waitFor();
  await openAndClose(page, 'New-chat budget');
  const history = page.getByRole('list', { name: 'What has happened to the number' });
  await history.getByText(/^Linked with a phone, by API key mgw_/).waitFor();

  await network.link(instance_id).closes('unlinked');
  await history.getByText('Unlinked on the phone').waitFor();
  await page.getByRole('region', { name: 'State' }).getByText('Needs a person').waitFor();
  await page.getByText(/^Link it again: show its code/).waitFor();

  // The store takes the next entry only after the page has long shown how the number is now.
  const takes = await refuseRows(portal.gateway.app.store, 'number_history');
  await customer.call('GET', `/v1/instances/${instance_id}/qr`);
  await network.link(instance_id).pairs('491710001500');
  await page.getByText('The number is connected and can send.').waitFor();
  await waitFor(() => expect(portal.gateway.logged()).toContain('the history of numbers cannot be written now'));
  await takes();
  await history
    .getByText(/^Linked with a phone, by API key mgw_/)
    .nth(1)
    .waitFor();
  await network.link(instance_id).closes('unlinked');
  await page.getByRole('region', { name: 'State' }).getByText('Needs a person').waitFor();

  await page.getByRole('link', { name: 'All numbers' }).click();
  await page.getByText('1 number needs a person').waitFor();
  const row = (name: string) => page.getByRole('listitem', { name, exact: true });
  await row('Front desk').getByText('Needs a person').waitFor();
  await row('Spare phone').getByText('Waiting for a scan').waitFor();

  // As the home page and the mail to the owners lead there.
  await open('/numbers?standing=needs_person');
  const found = page.getByRole('table', { name: 'Numbers' });
  await found.getByRole('link', { name: 'Front desk', exact: true }).waitFor();
  expect(await found.getByText('Spare phone').count()).toBe(0);
  expect(await portal.leave()).toEqual([]);
});
