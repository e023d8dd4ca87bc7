import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createKey, noteOf, showAccount, updateAccount, writeNote } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { expectOk, memberOf, operator } from '../support/portal.ts';
import type { Visitor } from '../support/portal-browser.ts';
import { usePortal } from './use-portal.ts';

/** What is said to be wrong with a field, as somebody hears it who cannot see the page. */
async function mistakeAt(field: Locator): Promise<string> {
  await field.and(field.page().locator('[aria-invalid="true"]')).waitFor();
  const described = (await field.getAttribute('aria-describedby')) ?? '';
  const texts = described
    .split(/\s+/)
    .filter((id) => id !== '')
    .map((id) => field.page().locator(`[id="${id}"]`).innerText());
  return (await Promise.all(texts)).join(' ');
}

const focused = (field: Locator) => field.and(field.page().locator(':focus')).waitFor();

describe('a form', () => {
  const portal = usePortal();
  let visitor: Visitor;

  it('says at each field what is missing, goes to the first one, and asks nothing of the server', async () => {
    visitor = await portal.visitor({ as: await operator(portal.gateway) });
    await visitor.open('/operator/plans');
    await visitor.page.getByRole('button', { name: 'New plan' }).click();
    const dialog = visitor.page.getByRole('dialog');
    const [name, perMinute] = [dialog.getByLabel('Name'), dialog.getByLabel('Messages per minute')];
    await name.fill('  ');
    await perMinute.fill('');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    expect(await mistakeAt(name)).toContain('Enter a name.');
    expect(await mistakeAt(perMinute)).toContain('Enter a number.');
    await focused(name);
    await name.fill('Bakeries');
    // The first digit is changed, and what is left meanwhile begins with a zero.
    await perMinute.fill('105');
    await perMinute.press('Home');
    await perMinute.press('Delete');
    expect(await perMinute.inputValue()).toBe('05');
    await perMinute.pressSequentially('2');
    expect(await perMinute.inputValue()).toBe('205');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await visitor.page.getByRole('rowheader', { name: 'Bakeries' }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('says what the server finds wrong at the field that the answer names', async () => {
    visitor = await portal.visitor({ as: await operator(portal.gateway) });
    visitor.expects('400: POST');
    await visitor.open('/operator/users');
    await visitor.page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = visitor.page.getByRole('dialog');
    const email = dialog.getByLabel('E-mail address');
    await dialog.getByRole('radio', { name: 'Operator' }).check();
    // Browsers take this for an address.
    await email.fill('ana@example');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    expect(await mistakeAt(email)).toMatch(/^Must be /);
    await focused(email);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await email.fill('ana@example.com');
    expect(await email.getAttribute('aria-invalid')).not.toBe('true');
  });

  it('creates a provider and changes it, its limit taken away included', async () => {
    visitor = await portal.visitor({ as: await operator(portal.gateway) });
    const { page } = visitor;
    await visitor.open('/operator/providers');
    await page.getByRole('button', { name: 'New provider' }).click();
    const dialog = page.getByRole('dialog');
    const [name, limit] = [dialog.getByLabel('Name'), dialog.getByLabel('Maximum numbers')];
    await limit.fill('5');
    await dialog.getByRole('button', { name: 'Create provider' }).click();
    expect(await mistakeAt(name)).toContain('Enter a name.');
    await name.fill(' North ');
    await dialog.getByRole('button', { name: 'Create provider' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const row = (provider: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: provider, exact: true }) });
    await row('North').getByText('0 of 5').waitFor();

    await page.getByRole('button', { name: 'More for North' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    expect([await name.inputValue(), await limit.inputValue()]).toEqual(['North', '5']);
    await name.fill('Northern');
    await limit.fill('');
    const answer = Promise.withResolvers<void>();
    await page.route('**/portal/api/operator/providers/*', async (route) => {
      if (route.request().method() === 'PATCH') await answer.promise;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    // Until it is answered, nothing closes the dialog: a failure would be told to nobody.
    await dialog.getByRole('button', { name: 'Close', exact: true, disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await name.inputValue()).toBe('Northern');
    answer.resolve();
    await dialog.waitFor({ state: 'hidden' });
    await row('Northern').waitFor();
    expect(await row('Northern').innerText()).not.toContain('of 5');
    expect(await row('North').count()).toBe(0);
  });

  it('is not sent without a day that was written as there is none, and says so at its field', async () => {
    const { gateway } = portal;
    const { accountId } = await gateway.customer();
    visitor = await portal.visitor({ as: await operator(gateway) });
    const { page } = visitor;
    await visitor.open(`/operator/accounts/${accountId}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    const end = dialog.getByRole('textbox', { name: 'Access ends', exact: true });
    await end.fill('31/02/2027');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect(await mistakeAt(end)).toContain('Write the day as in dd/mm/yyyy.');
    await focused(end);
    expect(await end.inputValue()).toBe('31/02/2027');
    await end.fill('28/02/2027');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await showAccount(gateway.app.store, accountId)).toMatchObject({ access_ends_at: expect.any(Number) });
  });

  it('keeps what others change meanwhile, and what is being written where they do', async () => {
    const { gateway } = portal;
    const { store } = gateway.app;
    const { accountId } = await gateway.customer({ name: 'Corner Books' });
    const boss = await operator(gateway);
    visitor = await portal.visitor({ as: boss });
    const { page } = visitor;
    // Before the page has timers: those that it has by then could not be cleared any more.
    await page.clock.install();
    // The page is looked at again after a while, and asks for everything anew.
    const lookAgain = async (later: number) => {
      await page.clock.setFixedTime(Date.now() + later);
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
    };
    await visitor.open(`/operator/accounts/${accountId}`);
    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Pays late.');
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reference').fill('C-9');
    const end = gateway.clock.now() + 86_400_000;
    await updateAccount(store, accountId, { name: 'Corner Books & Tea', accessEndsAt: end }, at(gateway.clock.now()));
    await writeNote(store, accountId, 'Call first.', at(gateway.clock.now()));
    await lookAgain(10_000);
    await page.getByText('Corner Books & Tea').first().waitFor();
    await page.getByText(/^The command line, /).waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await showAccount(store, accountId)).toMatchObject({ name: 'Corner Books & Tea', access_ends_at: end, reference: 'C-9' });
    expect(await note.inputValue()).toBe('Pays late.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('The note is saved.').waitFor();
    expect((await noteOf(store, accountId))?.text).toBe('Pays late.');

    const brand = '/operator/providers/default/brand';
    await visitor.go(brand);
    const address = page.getByLabel('Address', { exact: true });
    await address.fill('https://mine.example.com');
    expectOk(await boss.call('PATCH', `/portal/api${brand}`, { body: { base_address: 'https://theirs.example.com' } }));
    await lookAgain(20_000);
    await page.getByText('Not confirmed yet').waitFor();
    expect(await address.inputValue()).toBe('https://mine.example.com');
    // What is stored is shown as it is stored.
    await address.fill('https://Mine.example.com/');
    await page.getByRole('button', { name: 'Save address' }).click();
    await expect.poll(() => address.inputValue()).toBe('https://mine.example.com');
  });

  it('says of a recipient that cannot be looked for that it is not used, and looks for none then', async () => {
    const { gateway } = portal;
    visitor = await portal.visitor({ as: await memberOf(gateway, (await gateway.customer()).accountId) });
    await visitor.open('/activity');
    const field = visitor.page.getByLabel('Recipient');
    for (const text of ['4917', 'Anna', '+49 170 call me', '0170 1234567']) {
      await field.fill(text);
      expect(await mistakeAt(field)).toBe('Not applied: enter the whole number with its country code');
    }
    await field.fill('+49 170 1234567');
    await visitor.page.waitForURL(/recipient=491701234567/);
    await field.and(visitor.page.locator(':not([aria-invalid="true"])')).waitFor();
    await field.fill('+49 170');
    await visitor.page.waitForURL((url) => !url.search.includes('recipient'));
    await field.fill('+49 170 1234567');
    await visitor.page.waitForURL(/recipient=491701234567/);
    // What is no longer looked for is no longer in the field.
    await visitor.page.getByRole('link', { name: 'Activity', exact: true }).click();
    await expect.poll(() => field.inputValue()).toBe('');
  });

  it('lists the sends of the days that are chosen, also after those of an hour were', async () => {
    const { gateway } = portal;
    visitor = await portal.visitor({ as: await memberOf(gateway, (await gateway.customer()).accountId) });
    await visitor.open('/activity?hour=2026-11-20T10:00:00.000Z');
    const { page } = visitor;
    const hour = page.getByRole('button', { name: /\(remove this filter\)$/ });
    await hour.waitFor();
    await page.getByRole('textbox', { name: 'From', exact: true }).fill('18/11/2026');
    await page.waitForURL(({ searchParams }) => searchParams.get('from') === '2026-11-18' && !searchParams.has('hour'));
    await hour.waitFor({ state: 'detached' });
  });

  it('that asks for confirmation stays open until it is answered, and is not shown with the failure of the one before', async () => {
    const { gateway } = portal;
    const { accountId } = await gateway.customer();
    for (const label of ['Web shop', 'Old till']) await createKey(gateway.app.store, accountId, { label }, at(gateway.clock.now()));
    visitor = await portal.visitor({ as: await memberOf(gateway, accountId, 'owner') });
    visitor.expects('500: DELETE');
    const { page } = visitor;
    await visitor.open('/keys');
    const answer = Promise.withResolvers<void>();
    await page.route('**/portal/api/keys/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      await answer.promise;
      const error = { code: 'internal_error', message: 'Something went wrong.' };
      await route.fulfill({ status: 500, json: { success: false, error, request_id: 'r' } });
    });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Revoke Web shop' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).click();
    await dialog.getByRole('button', { name: 'Close', exact: true, disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    answer.resolve();
    await dialog.getByText('Something went wrong.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Revoke Old till' }).click();
    await dialog.getByRole('button', { name: 'Revoke key' }).waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });
});
