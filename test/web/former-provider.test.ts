import { describe, expect, it } from 'vitest';
import { expectOk, memberOf, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { settled } from '../support/portal-browser.ts';
import { violations } from './axe.ts';
import { usePortal } from './use-portal.ts';

describe('an account that has moved to another provider', () => {
  const portal = usePortal();

  it('shows its owner and the new provider what the former one made, to keep or to end [alerts.former]', async () => {
    const { gateway } = portal;
    const [boss, former, next] = [await operator(gateway), await providerAdmin(gateway), await providerAdmin(gateway)];
    const { accountId } = await gateway.customer({ name: 'Moving', providerId: former.providerId });
    const owner = await memberOf(gateway, accountId, 'owner');
    const by = async (who: SignedIn, method: string, path: string, body: object) =>
      expectOk(await who.call(method, path, { account: accountId, body })).body.data;
    const made = await by(former, 'POST', '/portal/api/keys', { label: 'Theirs' });
    gateway.secrets.add('a key', made.key);
    const target = await by(former, 'POST', '/portal/api/alerts', { kind: 'webhook', address: 'https://example.com/theirs' });
    gateway.secrets.add('the secret of a webhook', target.secret);
    await by(former, 'PUT', `/portal/api/operator/accounts/${accountId}/note`, { text: 'Pays late' });
    await by(boss, 'PATCH', `/portal/api/operator/accounts/${accountId}`, { provider_id: next.providerId });

    const of = async (as: SignedIn, path: string) => {
      const { page, open } = await portal.visitor({ as });
      await open(path);
      const section = page.getByRole('region', { name: 'From the former provider' });
      const row = (name: string) => section.getByRole('row').filter({ hasText: name });
      return { page, open, section, row };
    };
    const { page, open, section, row } = await of(owner, '/account');
    await row(`API key ${made.prefix}`).getByText(former.email).waitFor();
    await row('Note about the account').waitFor();
    expect(await violations(page)).toEqual([]);
    await row('Alerts to https://example.com/theirs').getByRole('button', { name: 'End' }).click();
    await page.getByText('It is ended.').first().waitFor();
    await row('Alerts to').waitFor({ state: 'detached' });

    const there = await of(next, `/operator/accounts/${accountId}`);
    await there.row('API key').waitFor();
    expect(await there.row('Alerts to').count()).toBe(0);
    expect(await violations(there.page)).toEqual([]);
    await there.row('API key').getByRole('button', { name: 'Keep' }).click();
    await there.row('API key').waitFor({ state: 'detached' });
    await there.row('Note about the account').getByRole('button', { name: 'End' }).click();
    // With the last of it the whole section goes.
    await there.section.waitFor({ state: 'detached' });
    await expect.poll(() => there.page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('');

    await open('/account');
    await settled(page);
    expect(await section.count()).toBe(0);
    await open('/keys');
    await page.getByRole('table').getByText('Theirs').waitFor();
    await open('/alerts');
    await page.getByText('Nobody is told yet').waitFor();
  });
});
