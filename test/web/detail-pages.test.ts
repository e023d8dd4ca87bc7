import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { invite } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { personAt } from '../support/portal.ts';
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
    await main(boss.page).getByRole('link', { name: 'Sunrise Bakery' }).click();
    await heading(boss.page, 'Sunrise Bakery');
  });

  it('key that was revoked says so, and when, in Portuguese', async () => {
    const { bakery, portal } = world;
    const visitor = await portal.visitor({ as: bakery.owner });
    await visitor.context.addInitScript("if (origin !== 'null') localStorage.setItem('language', 'pt-BR')");
    await visitor.open(`/keys/${bakery.revokedKeyId}`);
    await visitor.page.getByText('Revogada', { exact: true }).waitFor();
    expect(await visitor.page.getByRole('term').allInnerTexts()).toEqual(expect.arrayContaining(['Criada em', 'Revogada em']));
  });

  it('key shows what was sent with it last, which leads to all of it and to each', async () => {
    const { bakery, portal } = world;
    const visitor = await portal.visitor({ as: bakery.owner });
    const { page } = visitor;
    await visitor.open('/keys');
    const keys = page.getByRole('table', { name: 'API keys' });
    // A phone has no heads to press: a field names the order.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('Revoked', { exact: true }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Order' }).inputValue()).toBe('Last revoked first');
    await page.getByText('In use', { exact: true }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    const search = page.getByRole('searchbox', { name: 'Find a key' });
    await search.fill('no such key');
    await page.getByText('No key matches.').waitFor();
    await search.fill('');
    // The one that the bakery's program sends with was made first.
    await keys.getByRole('link').last().click();
    const latest = page.getByRole('region', { name: 'Latest sends' });
    await expect.poll(() => latest.getByRole('listitem').count()).toBe(5);
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await latest.getByRole('link', { name: 'Everything sent with it' }).click();
    await page.waitForURL(/\/activity\?key_id=/);
    await expect.poll(() => page.getByRole('list', { name: 'Sends' }).getByRole('listitem').count()).toBeGreaterThan(5);
    await page.getByRole('button', { name: `Key: ${name} (remove this filter)` }).click();
    await page.waitForURL((url) => url.pathname === '/activity' && url.search === '');

    await visitor.go(`/keys/${bakery.keyId}`);
    await latest.getByText('Nothing was sent with this key in the last 30 days.').waitFor();
    const boss = await portal.visitor({ as: bakery.operator });
    await boss.open(`/operator/accounts/${bakery.customer.accountId}/keys/${bakery.keyId}`);
    await heading(boss.page, 'Web shop');
    expect(await boss.page.getByRole('region', { name: 'Latest sends' }).count()).toBe(0);
  });

  it('account or number has its last failures, each of which is opened by acting for it', async () => {
    const { bakery, portal } = world;
    const visitor = await portal.visitor({ as: bakery.operator });
    const { page } = visitor;
    await visitor.open(`/operator/accounts/${bakery.customer.accountId}`);
    await page.getByRole('region', { name: 'Sends of the last 30 days' }).getByRole('figure').waitFor();
    const failures = page.getByRole('region', { name: 'Last failures' });
    const first = failures.getByRole('listitem').first().getByRole('link');
    const address = await first.getAttribute('href');
    await first.click();
    await page.waitForURL(`**${address}`);
    await page.getByRole('heading', { name: 'Request', level: 1 }).waitFor();
    await page.goBack();
    await failures.getByRole('link', { name: 'All failures' }).click();
    await page.waitForURL(/\/activity\?outcome=failed&account=/);
    await visitor.go(`/operator/numbers/${bakery.instanceId}`);
    await failures.getByRole('link', { name: 'All failures' }).click();
    await page.waitForURL(new RegExp(`/activity\\?.*instance_id=${bakery.instanceId}`));
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('failed');
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
    await page.goBack();
    await page.getByRole('link', { name: /^\d+ numbers?$/ }).click();
    await page.waitForURL(/\/operator\/numbers\?provider_id=/);
    // What the list is narrowed to is in sight.
    await expect.poll(() => page.getByRole('combobox', { name: 'Provider' }).inputValue()).toBe('Northern Resellers');

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
    const link = dialog.getByText(/^https?:.*\/link\//);
    const replaced = await link.innerText();
    await dialog.getByRole('button', { name: 'Make a new link' }).click();
    await expect.poll(() => link.innerText()).not.toBe(replaced);
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

  it('member of an account has a page for its owners: role, what they did last, removal', async () => {
    const { bakery, portal } = world;
    const { accountId } = bakery.customer;
    await personAt(portal.gateway, { role: 'member', accountId }, 'uma@example.com');
    const visitor = await portal.visitor({ as: bakery.owner });
    const { page } = visitor;
    await visitor.open('/account?part=members');
    const people = page.getByRole('table', { name: 'People' });
    await people.getByRole('link', { name: 'Mia Baker' }).focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Mia Baker');
    await main(page).getByText('You', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'What they did last' }).getByRole('link', { name: 'Everything they did' }).click();
    await page.waitForURL(/\/account\?part=changes&actor=mia/);
    await page.getByRole('list', { name: 'Changes' }).waitFor();
    await page.getByRole('button', { name: 'By mia@example.com (remove this filter)' }).click();
    await page.waitForURL((url) => url.search === '?part=changes');

    await page.getByRole('tab', { name: 'Members' }).click();
    await people.getByRole('row').filter({ hasText: 'uma@example.com' }).getByRole('link').click();
    await page.getByRole('definition').filter({ hasText: 'uma@example.com' }).waitFor();
    await page.getByRole('list', { name: 'Changes' }).getByText('accepted an invitation').waitFor();
    await page.getByRole('button', { name: 'Make an owner' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make an owner' }).click();
    await page.getByRole('definition').filter({ hasText: 'Owner' }).waitFor();
    // The list does not show from memory who has just been removed.
    const asked = Promise.withResolvers<void>();
    await page.route('**/portal/api/members', async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Remove from the account' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.waitForURL(/\/account\?part=members$/);
    await page.getByLabel('Loading the people').waitFor();
    asked.resolve();
    await people.getByRole('link', { name: 'Mia Baker' }).waitFor();
    expect(await people.getByText('uma@example.com').count()).toBe(0);

    visitor.expects('404: GET');
    await visitor.go('/account/members/01a1ffb6-0000-7000-8000-000000000000');
    await page.getByRole('heading', { name: 'No such member' }).waitFor();
    await main(page).getByRole('link', { name: 'All members' }).click();
    await people.waitFor();

    // A plain member is led to what they may see.
    const plain = await portal.visitor({ as: await personAt(portal.gateway, { role: 'member', accountId }, 'vic@example.com') });
    await plain.open(`/account/members/${bakery.owner.userId}`);
    await plain.page.waitForURL((url) => url.pathname === '/account');
  });

  it('invitation to an account is sent again and withdrawn by its owners', async () => {
    const { bakery, portal } = world;
    const { accountId } = bakery.customer;
    const { id } = await invite(
      portal.gateway.app.store,
      'wes@example.com',
      { role: 'member', accountId, providerId: null },
      at(portal.gateway.clock.now()),
    );
    const visitor = await portal.visitor({ as: bakery.owner });
    const { page } = visitor;
    await visitor.open('/account?part=members');
    await page.getByRole('table', { name: 'Pending invitations' }).getByRole('link', { name: 'wes@example.com' }).click();
    await heading(page, 'wes@example.com');
    await page.waitForURL(`**/account/invitations/${id}`);
    await page.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByRole('definition').filter({ hasText: 'mia@example.com' }).waitFor();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The link was taken back before it was used.').waitFor();
    await visitor.go('/account?part=changes');
    await page.getByRole('list', { name: 'Changes' }).getByText('withdrew').first().getByRole('link').last().click();
    await page.getByText('The link was taken back before it was used.').waitFor();
  });
});
