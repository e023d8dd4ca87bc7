import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { expectOk, memberOf, type SignedIn } from '../support/portal.ts';
import type { Visitor } from '../support/portal-browser.ts';
import { usePortal } from './use-portal.ts';

const signOut = '/portal/auth/sign-out';

describe('signing out', () => {
  const portal = usePortal();
  let customer: Customer;
  let owner: SignedIn;
  let instanceId: string;
  beforeEach(async () => {
    customer = await portal.gateway.customer();
    owner = await memberOf(portal.gateway, customer.accountId, 'owner');
    instanceId = await customer.linked();
  });

  async function leave({ page }: Visitor): Promise<void> {
    await page.getByRole('button', { name: /menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  }

  it('asks for nothing more from the moment it is chosen, whatever happens meanwhile', async () => {
    const [leaving, staying] = await Promise.all([portal.visitor({ as: owner }), portal.visitor({ as: owner })]);
    await Promise.all([leaving.open('/'), staying.open('/')]);
    const held = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    await leaving.page.route(`**${signOut}`, async (route) => {
      held.resolve();
      await goOn.promise;
      await route.continue();
    });
    await leave(leaving);
    await held.promise;
    const asked: string[] = [];
    leaving.page.on('request', (request) => {
      if (request.url().includes('/portal/')) asked.push(request.url());
    });
    // Both pages are told of each change at about the same time, and the next one comes when the other page has asked because of it.
    for (const label of ['Market stall', 'Van', 'Shop']) {
      const asks = staying.page.waitForResponse(/\/portal\/api\/home/);
      expectOk(await customer.call('PATCH', `/v1/instances/${instanceId}`, { label }));
      await asks;
    }
    expect(asked).toEqual([]);
    goOn.resolve();
    await leaving.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('that fails is told, and the page is there again', async () => {
    const visitor = await portal.visitor({ as: owner });
    visitor.expects(signOut);
    const { page } = visitor;
    await visitor.open('/numbers');
    await page.route(`**${signOut}`, (route) => route.abort());
    await leave(visitor);
    await page.getByRole('alert').waitFor();
    await page.getByRole('heading', { name: 'Numbers' }).waitFor();
    await page.unroute(`**${signOut}`);
    await leave(visitor);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
