import { describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { memberOf } from '../support/portal.ts';
import { settled } from '../support/portal-browser.ts';
import { usePortal } from './use-portal.ts';

describe('a suspended account', () => {
  const portal = usePortal();

  it('shows its numbers, and offers nothing to do with them [suspended.people]', async () => {
    const { app, customer } = portal.gateway;
    const who = await customer();
    await who.linked('4930901820');
    await updateAccount(app.store, who.accountId, { status: 'suspended' }, at(Date.now()));
    const { page, ...visitor } = await portal.visitor({ as: await memberOf(portal.gateway, who.accountId, 'owner') });
    await visitor.open('/numbers?add=true');
    await page.getByRole('listitem', { name: '+4930901820' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'The account is suspended' }).waitFor();
    await settled(page);
    const main = page.getByRole('main');
    expect(await main.getByRole('button').allInnerTexts()).toEqual([]);
    // To the page of the number, which only tells.
    expect(await main.getByRole('link').allInnerTexts()).toEqual(['+4930901820']);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
