import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { noteOf, showAccount, writeNote } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { expectOk, memberOf, operator, personAt } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

/** What says that it was done, and its button that takes it back. The change itself may come a moment later. */
async function undo(page: Page, said: string): Promise<void> {
  const notice = page.getByRole('alert').filter({ hasText: said });
  await notice.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('alert').filter({ hasText: 'Taken back.' }).first().waitFor();
  // It stays as long as the pointer is on it.
  await page.mouse.move(0, 0);
}

describe('what was done on a page', () => {
  const portal = usePortal();

  it('is taken back by the notification: a suspension, terms, a note, a role', async () => {
    const { gateway } = portal;
    const { store } = gateway.app;
    const { accountId } = await gateway.customer({ name: 'Corner Books', plan: 'starter' });
    // An account keeps one.
    await memberOf(gateway, accountId, 'owner');
    const ana = await memberOf(gateway, accountId, 'member');
    await writeNote(store, accountId, 'Pays late.', at(gateway.clock.now()));
    const now = () => showAccount(store, accountId);
    const visitor = await portal.visitor({ as: await operator(gateway) });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.open(`/operator/accounts/${accountId}`);

    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await dialog.getByRole('button', { name: 'Suspend account' }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    expect((await now()).status).toBe('suspended');
    await undo(page, 'Corner Books is suspended.');
    await expect.poll(async () => (await now()).status).toBe('active');
    await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Corner Books & Tea');
    await dialog.getByRole('combobox', { name: 'Plan', exact: true }).click();
    await page.getByRole('option', { name: /^business/ }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Corner Books & Tea' }).waitFor();
    expect((await now()).plan_name).toBe('business');
    await undo(page, 'The account Corner Books & Tea has been changed.');
    await page.getByRole('heading', { level: 1, name: 'Corner Books', exact: true }).waitFor();
    await expect.poll(async () => (await now()).plan_name).toBe('starter');

    const note = page.getByRole('textbox', { name: 'Note' });
    await note.fill('Pays late. Call first.');
    await page.getByRole('button', { name: 'Save note' }).click();
    await undo(page, 'The note is saved.');
    await expect.poll(async () => (await noteOf(store, accountId))?.text).toBe('Pays late.');
    await expect.poll(() => note.inputValue()).toBe('Pays late.');

    await page.getByRole('button', { name: 'More for member' }).click();
    await page.getByRole('menuitem', { name: 'Make an owner' }).click();
    await dialog.getByRole('button', { name: 'Make an owner' }).click();
    await undo(page, 'member is now an owner.');
    const roles = () => store.db.selectFrom('memberships').select('role').where('user_id', '=', ana.userId).execute();
    await expect.poll(roles).toEqual([{ role: 'member' }]);
  });

  it('offers nothing where it could not be as it was: what the provider suspended would be suspended by an operator', async () => {
    const { gateway } = portal;
    const { accountId } = await gateway.customer({ name: 'Old Mill' });
    const admin = await personAt(gateway, { role: 'provider_admin', providerId: 'default' });
    expectOk(await admin.call('PATCH', `/portal/api/operator/accounts/${accountId}`, { body: { status: 'suspended' } }));
    const visitor = await portal.visitor({ as: await operator(gateway) });
    const { page } = visitor;
    await visitor.open(`/operator/accounts/${accountId}`);
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume account' }).click();
    await page.getByText('Old Mill is active again.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('offers nothing for many either when one of them was suspended by its provider', async () => {
    const { gateway } = portal;
    const admin = await personAt(gateway, { role: 'provider_admin', providerId: 'default' });
    const first = await gateway.customer({ name: 'River First' });
    const second = await gateway.customer({ name: 'River Second' });
    const suspend = ({ accountId }: typeof first) =>
      admin.call('PATCH', `/portal/api/operator/accounts/${accountId}`, { body: { status: 'suspended' } });
    for (const customer of [first, second]) expectOk(await suspend(customer));
    const visitor = await portal.visitor({ as: await operator(gateway), width: 1400 });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const bulk = async (action: 'Resume' | 'Suspend', said: string) => {
      await visitor.open('/operator/accounts?search=River');
      for (const name of ['River First', 'River Second']) await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).click();
      await page.getByRole('button', { name: action, exact: true }).click();
      await dialog.getByRole('button', { name: `${action} 2 accounts` }).click();
      await page.getByText(said).waitFor();
    };
    const undos = () => page.getByRole('button', { name: 'Undo' }).count();

    await bulk('Resume', '2 accounts are active again.');
    expect(await undos()).toBe(0);
    expectOk(await suspend(first));
    // It makes the provider's suspension the operator's.
    await bulk('Suspend', '2 accounts are suspended.');
    expect(await undos()).toBe(0);
    await bulk('Resume', '2 accounts are active again.');
    expect(await undos()).toBe(1);
  });
});
