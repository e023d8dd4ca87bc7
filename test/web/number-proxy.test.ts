import { describe, expect, it } from 'vitest';
import { operator } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

describe("a number's proxy", () => {
  const portal = usePortal();

  it('is set, changed and removed by an operator, and shown without its password', async () => {
    const customer = await portal.gateway.customer();
    await customer.linked('4930901821');
    const { page, ...visitor } = await portal.visitor({ as: await operator(portal.gateway) });
    visitor.expects('400: PATCH');
    await visitor.open('/operator/numbers');
    const row = page.getByRole('row', { name: /\+4930901821/ });
    const choose = async (entry: string) => {
      await row.getByRole('button', { name: 'More for +4930901821' }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    const dialog = page.getByRole('dialog');
    const set = async (address: string) => {
      await dialog.getByLabel('Address').fill(address);
      await dialog.getByRole('button', { name: 'Set proxy' }).click();
    };

    await choose('Set a proxy');
    await set('ftp://me:hidden@proxy.example.com');
    await dialog.getByText('Must be socks5://host:port or http://host:port').waitFor();
    await set('socks5://me:hidden@proxy.example.com');
    await dialog.waitFor({ state: 'hidden' });
    await row.getByText('through socks5://proxy.example.com:1080').waitFor();

    await choose('Change the proxy');
    expect(await dialog.getByLabel('Address').inputValue()).toBe('');
    await set('http://10.0.0.1');
    await dialog.waitFor({ state: 'hidden' });
    await row.getByText('through http://10.0.0.1:8080').waitFor();

    await choose('Remove the proxy');
    await dialog.getByRole('button', { name: 'Remove proxy' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await row.getByText('through').count()).toBe(0);

    await visitor.open('/operator/audit');
    await page.getByText('changed the proxy of the number').filter({ visible: true }).first().waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain('hidden');
  });
});
