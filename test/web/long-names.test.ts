import { beforeAll, describe, expect, it } from 'vitest';
import { languages } from '../../web/src/language/languages.ts';
import { expectOk, operator, type SignedIn } from '../support/portal.ts';
import { settled } from '../support/portal-browser.ts';
import { sticksOut } from './too-wide.ts';
import { usePortal } from './use-portal.ts';

const longest = 'The Very Long Name of a Bakery on a Corner of Market Street';

describe('the longest names', () => {
  const portal = usePortal();
  let boss: SignedIn;
  let account: string;
  beforeAll(async () => {
    const { gateway } = portal;
    boss = await operator(gateway);
    const customer = await gateway.customer({ name: longest });
    account = customer.accountId;
    // A state of many letters in every language.
    const lost = await customer.linked('551190901821001');
    expect((await customer.call('PATCH', `/v1/instances/${lost}`, { label: longest })).status).toBe(200);
    expectOk(
      await boss.call('PATCH', `/portal/api/operator/numbers/${lost}`, { body: { proxy: 'socks5://proxy.of.the.bakery.example.com' } }),
    );
    await customer.call('DELETE', `/v1/instances/${lost}?logout_only=true`);
  });

  it.each([390, 768, 800, 1000])('leave the menu with the way out on a screen of %i px', async (width) => {
    const visitor = await portal.visitor({ as: { cookies: boss.cookies, account }, width });
    await visitor.open('/usage');
    const { page } = visitor;
    await page.getByRole('combobox', { name: 'Switch account' }).waitFor();
    const box = await page.getByRole('button', { name: /, menu$/ }).boundingBox();
    expect(box?.x).toBeGreaterThan(0);
    expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width);
  });

  it('are whole under the pointer where a table cuts them', async () => {
    const visitor = await portal.visitor({ as: boss, width: 1280 });
    await visitor.open('/operator/numbers');
    const names = visitor.page.getByRole('table').first().getByRole('link', { name: longest });
    await names.first().waitFor();
    const titles = await Promise.all((await names.all()).map((name) => name.getAttribute('title')));
    // The number's and its account's.
    expect(titles).toEqual([longest, longest]);
  });

  it('leave a table on a usual screen its frame, in every language', async () => {
    const visitor = await portal.visitor({ as: boss, width: 1280 });
    const { page } = visitor;
    for (const language of languages) {
      expectOk(await boss.call('PUT', '/portal/api/language', { body: { language } }));
      const [first, ...further] = ['/operator/numbers', '/operator/accounts', '/operator/users'] as const;
      const look = async (path: string) => {
        await page.getByRole('table').first().waitFor();
        expect(await page.evaluate('document.documentElement.lang')).toBe(language);
        await settled(page);
        expect(await page.evaluate(sticksOut), `${path} in ${language}`).toEqual([]);
      };
      await visitor.open(first);
      await look(first);
      for (const path of further) {
        await visitor.go(path);
        await look(path);
      }
    }
  });
});
