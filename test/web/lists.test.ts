import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { memberOf, operator, type SignedIn } from '../support/portal.ts';
import type { Visitor } from '../support/portal-browser.ts';
import { usePortal } from './use-portal.ts';

const count = 60;

describe('lists', () => {
  const started = usePortal();
  let boss: SignedIn;
  let visitor: Visitor;
  let page: Page;
  beforeAll(async () => {
    const { gateway } = started;
    boss = await operator(gateway);
    const { db } = gateway.app.store;
    const row = { provider_id: 'default', status: 'active', operator: 0 } as const;
    const terms = { plan_id: null, plan_starts_at: null, plan_ends_at: null, access_ends_at: null, instance_limit: null, free_slots: null };
    await db
      .insertInto('accounts')
      .values(
        Array.from({ length: count }, (_, place) => ({
          ...row,
          ...terms,
          id: newId(),
          name: `Account ${String(place + 1).padStart(2, '0')}`,
          created_at: Date.UTC(2026, 0, 1) + place * 1000,
        })),
      )
      .execute();
  });

  const names = () => page.getByRole('table', { name: 'Accounts' }).getByRole('rowheader').allTextContents();
  const firstIs = (name: string) => page.getByRole('rowheader').first().getByText(name, { exact: true }).waitFor();
  const box = (name: string) => page.getByRole('checkbox', { name: `Choose ${name}`, exact: true });
  async function endSoon(days: Readonly<Record<string, number>>): Promise<void> {
    const { db } = started.gateway.app.store;
    await db.updateTable('accounts').set({ access_ends_at: null, plan_ends_at: null }).where('name', 'like', 'Account%').execute();
    for (const [name, left] of Object.entries(days))
      await db
        .updateTable('accounts')
        .set({ access_ends_at: Date.now() + (left * 24 + 0.5) * 3_600_000 })
        .where('name', '=', name)
        .execute();
  }
  async function invite(prefix: string, howMany: number): Promise<void> {
    const link = { purpose: 'invitation', role: 'operator', account_id: null, provider_id: null, maker_id: boss.userId } as const;
    const times = { shown: 1, used_at: null, expires_at: Date.now() + 1e9 };
    await started.gateway.app.store.db
      .insertInto('one_time_links')
      .values(
        Array.from({ length: howMany }, (_, at) => ({
          ...link,
          ...times,
          id: newId(),
          token_hash: newId(),
          email: `${prefix}${String(at + 1).padStart(2, '0')}@example.com`,
          created_at: Date.now() - 1000 + at,
        })),
      )
      .execute();
  }
  async function open(path: string): Promise<void> {
    visitor = await started.visitor({ as: boss, width: 1400 });
    page = visitor.page;
    await visitor.open(path);
  }
  const statusOf = async (name: string) =>
    (await started.gateway.app.store.db.selectFrom('accounts').select('status').where('name', '=', name).executeTakeFirstOrThrow()).status;

  it('keep order, filter and page in the address: back leads through them, and a link shows the same', async () => {
    await open('/operator/accounts');
    await firstIs('Account 60');
    expect(await names()).toHaveLength(50);
    const head = page.getByRole('columnheader', { name: 'Account', exact: true });
    expect(await head.getAttribute('aria-sort')).toBe('none');
    await head.getByRole('button').click();
    await firstIs('Account 01');
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('button', { name: 'Next page' }).click();
    await firstIs('Account 51');
    const address = page.url();
    expect(new URL(address).searchParams.get('sort')).toBe('name');

    const colleague = await started.visitor({ as: boss, width: 1400 });
    await colleague.open(address.slice(new URL(address).origin.length));
    await colleague.page.getByRole('rowheader').first().getByText('Account 51', { exact: true }).waitFor();

    await page.goBack();
    await firstIs('Account 01');
    await page.goBack();
    await firstIs('Account 60');

    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Suspended' }).click();
    await page.getByText('No accounts match.').waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('suspended');
    await page.goBack();
    await firstIs('Account 60');
    await page.getByRole('searchbox', { name: 'Find an account' }).fill('account 07');
    await firstIs('Account 07');
    expect(new URL(page.url()).searchParams.get('search')).toBe('account 07');

    // The page of one leads back to what it was chosen from.
    await page.getByRole('rowheader').first().getByRole('link').click();
    await page.getByRole('link', { name: 'All accounts' }).click();
    await firstIs('Account 07');
    expect(new URL(page.url()).searchParams.get('search')).toBe('account 07');
  });

  it('are asked for once, while the scripts of their page are still on the way', async () => {
    visitor = await started.visitor({ as: boss, width: 1400 });
    page = visitor.page;
    const isList = (url: string) => new URL(url).pathname === '/portal/api/operator/accounts';
    const asked: string[] = [];
    page.on('request', (request) => void (isList(request.url()) && asked.push(request.url())));
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    const list = page.waitForRequest((request) => isList(request.url()));
    const opened = visitor.open('/operator/accounts');
    await list;
    held.resolve();
    await opened;
    await firstIs('Account 60');
    expect(asked).toHaveLength(1);
  });

  it('rows are chosen by keys and by Shift, over pages, and all that fit at once', async () => {
    await open('/operator/accounts?sort=name');
    await firstIs('Account 01');
    await box('Account 02').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('input:focus').getAttribute('aria-label')).toBe('Choose Account 03');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 chosen').waitFor();
    expect(await box('Account 04').isChecked()).toBe(true);
    await box('Account 10').click();
    await box('Account 20').click({ modifiers: ['Shift'] });
    await page.getByText('14 chosen').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await firstIs('Account 51');
    await page.getByText('14 chosen').waitFor();
    await page.getByRole('button', { name: /^Choose all 6\d that match$/ }).click();
    await page.getByText(/^6\d chosen$/).waitFor();
    await page.getByRole('button', { name: 'Choose none' }).click();
    await page.getByText(/chosen$/).waitFor({ state: 'detached' });
  });

  it('of a list that is longer than the server tells at once so many are offered as can be chosen', async () => {
    visitor = await started.visitor({ as: boss, width: 1400 });
    page = visitor.page;
    await page.route(/\/portal\/api\/operator\/accounts(\?|$)/, async (route) => {
      const response = await route.fetch();
      const { data, ...envelope } = await response.json();
      await route.fulfill({ response, json: { ...envelope, data: { ...data, total: 20_000 } } });
    });
    await visitor.open('/operator/accounts?sort=name');
    await box('Account 01').click();
    await page.getByRole('button', { name: 'Choose the first 10,000 that match' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('what has the focus in a row keeps it while the page is drawn anew', async () => {
    await open('/operator/accounts?sort=name');
    await firstIs('Account 01');
    await page.getByRole('rowheader').getByRole('link', { name: 'Account 02', exact: true }).focus();
    await box('Account 05').dispatchEvent('click');
    await page.getByText('1 chosen').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Account 02');
  });

  it('many are suspended after a dialog says what will happen, and it is taken back with Undo', async () => {
    await open('/operator/accounts?sort=name');
    await box('Account 01').click();
    await box('Account 03').click({ modifiers: ['Shift'] });
    await started.gateway.app.store.db
      .updateTable('accounts')
      .set({ status: 'suspended', suspended_by: 'operator' })
      .where('name', '=', 'Account 02')
      .execute();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Suspend 3 accounts?' });
    await dialog.getByText('1 will be skipped').waitFor();
    await dialog.getByText('It is suspended already.').waitFor();
    expect(await statusOf('Account 01')).toBe('active');
    await dialog.getByRole('button', { name: 'Suspend 2 accounts' }).click();
    await dialog.getByText('2 done, 1 skipped, 0 failed').waitFor();
    expect([await statusOf('Account 01'), await statusOf('Account 03')]).toEqual(['suspended', 'suspended']);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText(/chosen$/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Taken back.').waitFor();
    // Whoever was suspended before stays so.
    expect([await statusOf('Account 01'), await statusOf('Account 02'), await statusOf('Account 03')]).toEqual([
      'active',
      'suspended',
      'active',
    ]);
  });

  it('many are extended after a dialog says of each what becomes of its plan and both ends, and it is taken back with Undo', async () => {
    const { db } = started.gateway.app.store;
    const { id } = await db.selectFrom('plans').select('id').where('name', '=', 'starter').executeTakeFirstOrThrow();
    const soon = Date.now() + 3 * 24 * 60 * 60 * 1000;
    const terms = { plan_id: id, plan_starts_at: Date.UTC(2026, 0, 1), plan_ends_at: soon, access_ends_at: soon };
    const ends = async () => {
      const accounts = db.selectFrom('accounts').where('name', 'in', ['Account 05', 'Account 06']).orderBy('name');
      return accounts.select(['plan_id', 'plan_ends_at', 'access_ends_at']).execute();
    };
    await db.updateTable('accounts').set(terms).where('name', '=', 'Account 05').execute();
    await open('/operator/accounts?sort=name');
    await box('Account 05').click();
    await box('Account 06').click();

    await page.getByRole('button', { name: 'Change plan', exact: true }).click();
    const planned = page.getByRole('dialog', { name: 'Change the plan of 2 accounts' });
    await planned.getByRole('combobox', { name: 'New plan' }).click();
    await page.getByRole('option', { name: 'business' }).click();
    await planned.getByText('1 of them ends within 7 days all the same.').waitFor();
    const announced = planned.getByRole('listitem').filter({ has: page.getByText('Account 05', { exact: true }) });
    expect(await announced.innerText()).toMatch(/Plan: starter.*business.*Plan ends: .*No end.*Access ends: .*, as before/s);
    await planned.getByRole('button', { name: 'Cancel' }).click();
    await planned.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Extend 2 accounts' });
    await dialog.getByRole('radio', { name: 'by days' }).check();
    await dialog.getByRole('textbox', { name: 'Days' }).fill('30');
    await dialog.getByText('It has no end.').waitFor();
    const each = dialog.getByRole('listitem').filter({ has: page.getByText('Account 05', { exact: true }) });
    expect(await each.innerText()).toMatch(/Plan: starter, as before.*Plan ends: .*Access ends: /s);
    const before = await ends();
    await dialog.getByRole('button', { name: 'Extend 1 account' }).click();
    await dialog.getByText('1 done, 1 skipped, 0 failed').waitFor();
    const later = soon + 30 * 24 * 60 * 60 * 1000;
    expect((await ends())[0]).toEqual({ plan_id: id, plan_ends_at: later, access_ends_at: later });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Taken back.').waitFor();
    expect(await ends()).toEqual(before);
  });

  it('of an account’s numbers stays with its dialog until all that were chosen are deleted, however few are left meanwhile', async () => {
    const customer = await started.gateway.customer();
    for (let number = 0; number < 51; number++) await customer.call('POST', '/v1/instances', { label: `Desk ${number}` });
    visitor = await started.visitor({ as: await memberOf(started.gateway, customer.accountId, 'owner'), width: 1400 });
    page = visitor.page;
    await visitor.open('/numbers');
    await page.getByRole('checkbox', { name: 'Choose all on this page' }).click();
    const told = Promise.withResolvers<void>();
    await page.route('**/portal/api/numbers/bulk', async (route) => {
      if (route.request().postDataJSON().preview === true) return route.continue();
      const response = await route.fetch();
      await told.promise;
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 50 numbers?' });
    await dialog.getByRole('button', { name: 'Delete 50 numbers' }).click();
    // The page learns of each at once, and of the whole only now.
    await page.getByText(/^1 of .* in use$/).waitFor();
    expect(await dialog.count()).toBe(1);
    told.resolve();
    await page.getByText('50 numbers are deleted.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('1 number', { exact: true }).waitFor();
  });

  it('invitations and providers are found, sorted and paged on the server, with a file, from beyond the first page', async () => {
    const { db } = started.gateway.app.store;
    const place = (at: number) => String(at + 1).padStart(2, '0');
    await db
      .insertInto('providers')
      .values(
        Array.from({ length: count }, (_, at) => ({
          id: newId(),
          name: `Reseller ${place(at)}`,
          status: 'active' as const,
          number_capacity: null,
          created_at: Date.now() + at,
        })),
      )
      .execute();
    await invite('guest', count);

    await open('/operator/users');
    await page.getByRole('navigation', { name: 'People and invitations' }).getByRole('link', { name: 'Pending invitations' }).click();
    await firstIs('guest60@example.com');
    expect(await page.getByRole('link', { name: 'People', exact: true }).first().getAttribute('aria-current')).toBe('page');
    await page.getByRole('columnheader', { name: 'E-mail address' }).getByRole('button').click();
    await firstIs('guest01@example.com');
    await page.getByRole('button', { name: 'Next page' }).click();
    await firstIs('guest51@example.com');
    await page.getByRole('searchbox', { name: 'Find an invitation' }).fill('guest07');
    await firstIs('guest07@example.com');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('email');
    await page.getByRole('button', { name: 'Withdraw the invitation for guest07@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('No invitation matches.').waitFor();

    await visitor.go('/operator/providers?sort=-created');
    await firstIs('Reseller 60');
    await page.getByRole('button', { name: 'Next page' }).click();
    await firstIs('Reseller 10');
    const file = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
    expect(file).toBe('/portal/api/operator/providers.csv?sort=-created');
    await page.getByRole('searchbox', { name: 'Find a provider' }).fill('reseller 33');
    await firstIs('Reseller 33');
    expect(new URL(page.url()).searchParams.get('after')).toBe(null);

    // A field to choose one finds those that are on no first page.
    await visitor.go('/operator/accounts');
    await page.getByRole('combobox', { name: 'Provider' }).fill('Reseller 59');
    await page.getByRole('option', { name: 'Reseller 59' }).click();
    await page.getByText('No accounts match.').waitFor();
    await page.reload();
    await expect.poll(() => page.getByRole('combobox', { name: 'Provider' }).inputValue()).toBe('Reseller 59');
  });

  it('of accounts that end soon begins with the next end, until another order is chosen', async () => {
    await endSoon({ 'Account 10': 1, 'Account 50': 3, 'Account 20': 2 });
    await open('/operator/accounts?ends_within=7');
    await firstIs('Account 10');
    expect(await names()).toEqual(['Account 10', 'Account 20', 'Account 50']);
    await page.getByRole('button', { name: /^in 24 hr/ }).waitFor();
    const head = page.getByRole('columnheader', { name: 'Ends', exact: true });
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await head.getByRole('button').click();
    await firstIs('Account 50');
  });

  it('what leaves a list empty is told of and taken back with Undo all the same', async () => {
    await endSoon({ 'Account 10': 1, 'Account 20': 2 });
    await open('/operator/accounts?ends_within=7');
    // The dialog takes its time to fade out, in which the list is fetched.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.getByRole('checkbox', { name: 'Choose all on this page' }).click();
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Extend 2 accounts' });
    await dialog.getByRole('radio', { name: 'by days' }).check();
    await dialog.getByRole('textbox', { name: 'Days' }).fill('30');
    await dialog.getByRole('button', { name: 'Extend 2 accounts' }).click();
    await page.getByText('No accounts match.').waitFor();
    await page.getByText('2 accounts are extended.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Taken back.').waitFor();
    await firstIs('Account 10');
    expect(await page.getByText(/chosen$/).count()).toBe(0);
  });

  it('a choice ends with its filter: nothing is chosen on the way back, and all that fit the one before come too late', async () => {
    await open('/operator/accounts?sort=name');
    const search = page.getByRole('searchbox', { name: 'Find an account' });
    const chosen = page.getByText(/chosen$/);
    await box('Account 01').click();
    await chosen.waitFor();
    const next = Promise.withResolvers<void>();
    await page.route(/\/operator\/accounts\?.*search=/, async (route) => {
      await next.promise;
      await route.continue();
    });
    await search.fill('account 07');
    // The rows are those of the filter before.
    await expect.poll(() => box('Account 01').isDisabled()).toBe(true);
    next.resolve();
    await firstIs('Account 07');
    await search.fill('');
    await firstIs('Account 01');
    expect(await chosen.count()).toBe(0);

    await box('Account 01').click();
    const all = Promise.withResolvers<void>();
    await page.route(/\/operator\/accounts\/ids\?/, async (route) => {
      await all.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Choose all 6\d that match$/ }).click();
    await search.fill('account 07');
    await firstIs('Account 07');
    const answered = page.waitForResponse(/\/operator\/accounts\/ids\?/);
    all.resolve();
    await (await answered).finished();
    await box('Account 07').click();
    await page.getByText('1 chosen', { exact: true }).waitFor();
  });

  it('a page whose last row is gone leads to the others, and what is shown only once stays until it is read', async () => {
    await invite('alone', 51);
    await open('/operator/users/invitations?search=alone');
    await firstIs('alone51@example.com');
    await page.getByRole('button', { name: 'Next page' }).click();
    await firstIs('alone01@example.com');
    // It becomes the newest.
    await page.getByRole('button', { name: 'Send again: alone01@example.com' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Nothing is left on this page.').waitFor();
    await dialog.getByText(/is shown only this once/).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await firstIs('alone01@example.com');
  });

  afterEach(async () => {
    await started.gateway.app.store.db
      .updateTable('accounts')
      .set({ status: 'active', suspended_by: null })
      .where('name', 'like', 'Account%')
      .execute();
  });
});
