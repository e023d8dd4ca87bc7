import { describe, expect, it } from 'vitest';
import { invite } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { expectOk, memberOf } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

describe('somebody with two accounts', () => {
  const portal = usePortal();

  it('never sees one account under the name of the other, however late an answer comes', async () => {
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
});
