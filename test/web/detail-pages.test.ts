import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useBakeryPortal } from './use-portal.ts';

describe('the page of one', () => {
  const world = useBakeryPortal();
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const main = (page: Page) => page.getByRole('main');

  it('person is reached from lists and the audit log; roles are changed and taken there', async () => {
    const { bakery, portal } = world;
    const visitor = await portal.visitor({ as: bakery.operator });
    const { page } = visitor;
    await visitor.open('/operator/users');
    await page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'Tom Miller' }).click();
    await heading(page, 'Tom Miller');
    await page.getByRole('definition').filter({ hasText: 'tom@example.com' }).waitFor();
    const roles = page.getByRole('table', { name: 'Roles' });
    expect(await roles.getByRole('rowheader').allInnerTexts()).toEqual(['Member']);
    await page.getByRole('button', { name: 'More for Member of Sunrise Bakery' }).click();
    await page.getByRole('menuitem', { name: 'Make an owner' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make an owner' }).click();
    await expect.poll(() => roles.getByRole('rowheader').allInnerTexts()).toEqual(['Owner']);
    await roles.getByRole('link', { name: 'Sunrise Bakery' }).click();
    await heading(page, 'Sunrise Bakery');
    await page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'Mia Baker' }).click();
    await heading(page, 'Mia Baker');
    await page.getByRole('link', { name: 'Everything they did' }).click();
    await page.waitForURL(/\/operator\/audit\?actor=mia/);
    await page.getByRole('list', { name: 'Changes' }).getByRole('link', { name: 'mia@example.com' }).first().click();
    await heading(page, 'Mia Baker');
    await main(page).getByRole('link', { name: 'All people' }).click();
    await heading(page, 'People');

    visitor.expects('404: GET');
    await visitor.go('/operator/users/01a1ffb6-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: 'No such person' }).waitFor();
  });

  it('key says who made and who revoked it, to its people and to administrators', async () => {
    const { bakery, portal } = world;
    const owner = await portal.visitor({ as: bakery.owner });
    await owner.open('/keys');
    await owner.page.getByRole('table', { name: 'API keys' }).getByRole('link', { name: 'Web shop' }).click();
    await heading(owner.page, 'Web shop');
    // Every id is copied by keyboard too, and says so.
    await owner.page.getByRole('button', { name: 'Copy key ID' }).focus();
    await owner.page.keyboard.press('Enter');
    await owner.page.getByRole('button', { name: 'key ID copied' }).waitFor();
    expect(await owner.page.evaluate('navigator.clipboard.readText()')).toBe(bakery.keyId);
    await owner.page.getByRole('button', { name: 'Revoke key' }).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await owner.page.getByRole('definition').filter({ hasText: 'mia@example.com' }).waitFor();
    expect(await owner.page.getByRole('button', { name: 'Revoke key' }).count()).toBe(0);

    const boss = await portal.visitor({ as: bakery.operator });
    await boss.open(`/operator/accounts/${bakery.customer.accountId}`);
    const changes = boss.page.getByRole('list', { name: 'Changes' });
    await changes.getByText('revoked the API key').first().getByRole('link').last().click();
    await boss.page.waitForURL(`**/operator/accounts/${bakery.customer.accountId}/keys/${bakery.keyId}`);
    await heading(boss.page, 'Web shop');
    await main(boss.page).getByRole('link', { name: 'The account' }).click();
    await heading(boss.page, 'Sunrise Bakery');
  });

  it('provider has its admins, who see it too, and the way to its accounts', async () => {
    const { bakery, portal } = world;
    const visitor = await portal.visitor({ as: bakery.operator });
    const { page } = visitor;
    await visitor.open('/operator/providers');
    await page.getByRole('table', { name: 'Providers' }).getByRole('link', { name: 'Northern Resellers' }).click();
    await heading(page, 'Northern Resellers');
    await page.getByRole('button', { name: 'Invite an admin' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite to Northern Resellers' });
    await dialog.getByLabel('E-mail address').fill('zoe@example.com');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    await dialog.getByText('The invitation is ready: Provider admin of Northern Resellers.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'Admins' }).getByRole('link', { name: 'Noah Reed' }).click();
    await heading(page, 'Noah Reed');
    await page.getByRole('table', { name: 'Roles' }).getByRole('link', { name: 'Northern Resellers' }).click();
    await page.getByRole('link', { name: '1 account', exact: true }).click();
    await page.waitForURL(/\/operator\/accounts\?provider_id=/);
    await page.getByRole('rowheader', { name: 'Sunrise Bakery' }).waitFor();

    const admin = await portal.visitor({ as: bakery.admin });
    await admin.open(`/operator/providers/${bakery.providerId}`);
    await admin.page.getByRole('table', { name: 'Admins' }).waitFor();
    expect(await admin.page.getByRole('button', { name: 'Suspend' }).count()).toBe(0);
  });

  it('invitation is sent again, which leads to the new one, and withdrawn', async () => {
    const { bakery, portal } = world;
    const visitor = await portal.visitor({ as: bakery.operator });
    const { page } = visitor;
    await visitor.open('/operator/users/invitations');
    await page.getByRole('table', { name: 'Pending invitations' }).getByRole('link', { name: 'ida@example.com' }).click();
    await heading(page, 'ida@example.com');
    await page.waitForURL(`**/operator/users/invitations/${bakery.invitationId}`);
    await page.getByText('Nobody has used the link yet.').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(bakery.invitationId));
    await page.getByText('Nobody has used the link yet.').waitFor();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The link was taken back before it was used.').waitFor();
    expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0);
    await visitor.go(`/operator/users/invitations/${bakery.invitationId}`);
    await page.getByText('It was sent again, and only the newer link works.').waitFor();
  });
});
