import { describe, expect, it } from 'vitest';
import { createProvider, updateAccount } from '../../src/accounts/index.ts';
import { at } from '../support/act.ts';
import { personAt } from '../support/portal.ts';
import { addSandboxNumber, goTo, sendExample } from './steps.ts';
import { usePortal } from './use-portal.ts';

describe('a provider admin', () => {
  const portal = usePortal();

  it('sees the own accounts only, and acts for them', async () => {
    const { gateway } = portal;
    const { store } = gateway.app;
    const now = at(Date.now());
    const provider = await createProvider(store, { name: 'North', numberCapacity: null }, now);
    const own = await gateway.customer({ name: 'Own Bakery' });
    const foreign = await gateway.customer({ name: 'Foreign Books' });
    await updateAccount(store, own.accountId, { providerId: provider.id }, now);
    await Promise.all([own.linked(), foreign.linked()]);
    await personAt(gateway, { role: 'owner', accountId: foreign.accountId });
    const admin = await personAt(gateway, { role: 'provider_admin', providerId: provider.id });

    const visitor = await portal.visitor({ as: admin, colorScheme: 'dark' });
    const { page } = visitor;
    await visitor.open('/operator/accounts');
    await page.getByRole('link', { name: 'Own Bakery' }).waitFor();
    const entries = await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link').allInnerTexts();
    expect(entries.map((entry) => entry.trim())).toEqual([
      'Home',
      'Account',
      'Accounts',
      'All numbers',
      'People',
      'Usage of accounts',
      'All alerts',
      'Audit log',
      'Your brand',
    ]);
    for (const path of ['/', '/operator/accounts', '/operator/numbers', '/operator/users', '/operator/usage', '/operator/audit']) {
      await visitor.open(path);
      const text = await page.locator('body').innerText();
      expect(text).not.toContain('Foreign');
      expect(text).not.toContain(foreign.accountId);
    }
    visitor.expects(foreign.accountId);
    await visitor.open(`/operator/accounts/${foreign.accountId}`);
    await page.getByRole('alert').first().waitFor();
    expect(await page.locator('body').innerText()).not.toContain('Foreign');

    await visitor.open('/operator/accounts');
    await page.getByRole('button', { name: 'Act for Own Bakery' }).click();
    await page.getByText('You are acting for Own Bakery').waitFor();
    await addSandboxNumber(page, 'Made by the admin');
    await goTo(page, 'Send');
    await sendExample(page, { kind: 'Text', to: '+15550123' });
    await page.getByRole('button', { name: 'Leave the account' }).click();
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
  });
});
