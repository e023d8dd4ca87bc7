import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/index.ts';
import { firstOperatorLink, invite } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { expectOk, memberOf, operator } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

/** What has the focus, as its role and name. */
const focused = `(() => {
  const { activeElement: one } = document;
  const label = one.getAttribute('aria-label') ?? [...(one.labels ?? [])].map((label) => label.innerText).join(' ');
  return one.tagName.toLowerCase() + ' ' + (label || one.innerText || '').replaceAll(/\\s+/g, ' ').trim();
})()`;

/** Presses Tab until something of this kind and name has the focus, as people do who see only a frame move. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const passed: string[] = [];
  while (passed.length < 80) {
    const here = String(await page.evaluate(focused));
    if (wanted.test(here)) return;
    passed.push(here);
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${wanted}: ${passed.join(', ')}`);
}

/** The name of each row, which leads to its page. */
const rowLinks = 'main tbody th a, main li[aria-label] a[href^="/numbers/"]';
const hrefs = (links: readonly unknown[]) =>
  (links as readonly { getAttribute(name: string): string | null }[]).map((link) => link.getAttribute('href') ?? '');

describe('the keyboard alone', () => {
  const portal = usePortal();

  it('leads from the one-time link to the first message', async () => {
    const { gateway } = portal;
    const link = await firstOperatorLink(gateway.app.store, Date.now());
    const { page } = await portal.visitor();
    const write = async (field: RegExp, text: string) => {
      await tabTo(page, field);
      await page.keyboard.type(text);
    };
    const press = async (what: RegExp) => {
      await tabTo(page, what);
      await page.keyboard.press('Enter');
    };
    await page.goto(`${gateway.address}/link/${link?.token}`);
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await write(/^input E-mail/, 'olga@example.com');
    await write(/^input Your name/, 'Olga');
    await write(/^input Choose a password/, 'olgas long password');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    await press(/^a To the accounts/);
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    await press(/^button New account/);
    await page.getByRole('dialog').waitFor();
    await write(/^input Name/, 'Bakery');
    await tabTo(page, /^input Plan/);
    await page.keyboard.press('ArrowDown');
    const plan = page.getByRole('option', { name: 'business' });
    await plan.waitFor();
    for (let steps = 0; (await plan.getAttribute('data-combobox-selected')) === null; steps++) {
      if (steps > 20) throw new Error('the arrow keys do not reach the plan');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await press(/^button Create account/);
    await page.getByRole('heading', { name: 'Bakery', level: 1 }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(/^button Act for account/);

    await page.getByRole('heading', { name: 'Numbers', level: 1 }).waitFor();
    await press(/^button Add number/);
    await page.getByRole('dialog').waitFor();
    await write(/^input Name/, 'Shop');
    await page.keyboard.press('Enter');
    await page.getByText('Code 1 of 5', { exact: true }).waitFor();
    await tabTo(page, /^button Scan with the sandbox phone/);
    await page.keyboard.press('Space');
    await page.getByRole('heading', { name: 'Linked' }).waitFor();
    await press(/^a Send a message/);

    await page.getByRole('heading', { name: 'Send', level: 1 }).waitFor();
    await write(/^input To/, '+15550123');
    await write(/^textarea Text/, 'Hello by keyboard');
    await press(/^button Send$/);
    await page.getByText('Sent', { exact: true }).waitFor();
  });

  it('reaches every row of every list, and Enter opens it', async () => {
    const { gateway } = portal;
    const { store } = gateway.app;
    const act = at(gateway.clock.now());
    const customer = await gateway.customer({ name: 'Corner Books' });
    await gateway.customer({ name: 'Old Mill' });
    await customer.linked('15550177');
    await createKey(store, customer.accountId, { label: 'Till' }, act);
    for (const email of ['ida@example.com', 'kai@example.com'])
      await invite(store, email, { role: 'member', accountId: customer.accountId, providerId: null }, act);
    const boss = await operator(gateway);
    boss.account = customer.accountId;
    await memberOf(gateway, customer.accountId, 'owner');
    for (const path of ['/portal/api/alerts', '/portal/api/operator/alerts'])
      expectOk(await boss.call('POST', path, { body: { kind: 'webhook', address: 'https://alerts.example.com/night' } }));
    const visitor = await portal.visitor({ as: boss, width: 1400 });
    const { page } = visitor;
    await visitor.open('/operator/accounts');
    const lists = ['accounts', 'users', 'users/invitations', 'providers', 'numbers', 'alerts'].map((list) => `/operator/${list}`);
    for (const path of [...lists, '/keys', '/alerts', '/numbers']) {
      if (path === '/keys') {
        await visitor.go(`/operator/accounts/${customer.accountId}`);
        await page.getByRole('button', { name: 'Act for account' }).click();
        await page.getByText(/^You are acting for/).waitFor();
      }
      await visitor.go(path);
      const links = page.locator(rowLinks);
      await links.first().waitFor();
      const wanted = await links.evaluateAll(hrefs);
      await page.locator('#page').focus();
      const reached: string[] = [];
      for (let steps = 0; reached.length < wanted.length && steps < 80; steps++) {
        await page.keyboard.press('Tab');
        reached.push(...(await page.locator(rowLinks).and(page.locator(':focus')).evaluateAll(hrefs)));
      }
      expect(reached, path).toEqual(wanted);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${reached.at(-1)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    // From the box of a row as well, where the arrows lead.
    await visitor.go('/operator/accounts?sort=name');
    await page.getByRole('checkbox', { name: 'Choose Corner Books' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Old Mill' }).waitFor();
  });
});
