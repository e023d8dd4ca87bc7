import { describe, expect, it } from 'vitest';
import { invite } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { expectOk, memberOf } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

describe('somebody with two accounts', () => {
  const portal = usePortal();

  async function withTwo() {
    const { gateway } = portal;
    const [books, mill] = await Promise.all([gateway.customer({ name: 'Corner Books' }), gateway.customer({ name: 'Old Mill' })]);
    for (const [customer, label] of [
      [books, 'Reading room'],
      [mill, 'Mill shop'],
    ] as const) {
      const instanceId = await customer.linked();
      expectOk(await customer.call('PATCH', `/v1/instances/${instanceId}`, { label }));
    }
    const person = await memberOf(gateway, books.accountId);
    const place = { role: 'member', accountId: mill.accountId, providerId: null } as const;
    const { token } = await invite(gateway.app.store, person.email, place, at(gateway.clock.now()));
    expectOk(await person.call('POST', `/portal/api/links/${token}`, { body: { password: person.password } }));
    return { books, mill, person };
  }

  it('never sees one account under the name of the other, however late an answer comes', async () => {
    const { mill, person } = await withTwo();
    const { page, ...visitor } = await portal.visitor({ as: person });
    await visitor.open('/numbers');
    await page.getByRole('listitem', { name: 'Reading room' }).waitFor();

    // Until the server has said that this person may act for the other account, the page belongs to the first one.
    const released = Promise.withResolvers<void>();
    await page.route('**/portal/api/session', async (route) => {
      await released.promise;
      await route.continue();
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/v1/instances') asked.push(request.headers()['x-account-id'] ?? '');
    });
    const session = page.waitForRequest('**/portal/api/session');
    await page.getByRole('button', { name: /menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Old Mill' }).click();
    await session;
    await page.getByRole('button', { name: 'Add number' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await page.getByRole('banner').innerText()).toContain('Corner Books');
    expect(await page.getByRole('listitem', { name: 'Reading room' }).count()).toBe(1);
    expect(asked).not.toContain(mill.accountId);

    released.resolve();
    await page.getByRole('listitem', { name: 'Mill shop' }).waitFor();
    expect(await page.getByRole('banner').innerText()).toContain('Old Mill');
    expect(await page.getByRole('listitem', { name: 'Reading room' }).count()).toBe(0);
  });

  it('changes the account on screen, also when the other one has become the first of theirs meanwhile', async () => {
    const { books, person } = await withTwo();
    // In a browser that knows of no choice.
    const { page, ...visitor } = await portal.visitor({ as: { ...person, account: null } });
    await visitor.open('/keys');
    await page.waitForURL(`**/keys?account=${books.accountId}`);
    // As when a role is given anew.
    const { clock, app } = portal.gateway;
    const ofBooks = app.store.db.updateTable('memberships').where('user_id', '=', person.userId).where('account_id', '=', books.accountId);
    await ofBooks.set({ created_at: clock.now() + 60_000 }).execute();
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('For the reading room');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('button', { name: 'I have copied the key' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByRole('link', { name: 'For the reading room' }).waitFor();
  });

  it('has the account in the address: a new tab comes to the same, back to the one before, and whoever may not to their own', async () => {
    const { books, mill, person } = await withTwo();
    const { page, context, ...visitor } = await portal.visitor({ as: person });
    await visitor.open('/numbers');
    await page.getByRole('listitem', { name: 'Reading room' }).waitFor();
    await page.getByRole('button', { name: /menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Old Mill' }).click();
    await page.getByRole('listitem', { name: 'Mill shop' }).waitFor();
    await page.waitForURL(`**/numbers?account=${mill.accountId}`);
    expect(await page.getByRole('link', { name: 'API keys' }).getAttribute('href')).toBe(`/keys?account=${mill.accountId}`);

    const tab = await context.newPage();
    await tab.goto(page.url());
    await tab.getByRole('listitem', { name: 'Mill shop' }).waitFor();

    await page.goBack();
    await page.getByRole('listitem', { name: 'Reading room' }).waitFor();
    await page.waitForURL(`**/numbers?account=${books.accountId}`);

    const stranger = await portal.visitor({ as: await memberOf(portal.gateway, books.accountId) });
    stranger.expects('403: GET');
    await stranger.open(`/numbers?account=${mill.accountId}`);
    await stranger.page.getByRole('listitem', { name: 'Reading room' }).waitFor();
    const own = (url: URL) => url.pathname === '/numbers' && url.search === '';
    await stranger.page.waitForURL(own);
    // With the full stop of the sentence in which it stood.
    await stranger.open(`/numbers?account=${mill.accountId}.`);
    await stranger.page.getByRole('listitem', { name: 'Reading room' }).waitFor();
    await stranger.page.waitForURL(own);
  });
});
