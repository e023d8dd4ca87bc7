import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillPortal, type PortalData } from '../../bench/portal-data/index.ts';
import { createVault } from '../../src/core/index.ts';
import { memberOf, operator, personAt, type SignedIn } from '../support/portal.ts';
import { type ColorScheme, settled } from '../support/portal-browser.ts';
import { rounds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { violations } from './axe.ts';
import { addSandboxNumber, createKey, goTo, sendExample } from './steps.ts';
import { sticksOut } from './too-wide.ts';
import { usePortal } from './use-portal.ts';
import { type Say, words } from './words.ts';

const secret = Buffer.alloc(32, 5);
const usual = { providers: 20, people: 300, keys: 400, invitations: 0, usageDays: 30, perSegment: 8 };
/** What an installation of some years has; in short rounds a tenth. */
const sizes = {
  ...usual,
  accounts: rounds({ short: 200, long: 2_000 }),
  numbers: rounds({ short: 2_000, long: 20_000 }),
  audit: rounds({ short: 2_000, long: 100_000 }),
  requests: rounds({ short: 5_000, long: 200_000 }),
};
/** A page of a list. */
const mostRows = 50;

interface Look {
  readonly language: string;
  readonly colorScheme: ColorScheme;
  readonly width: number;
  readonly height: number;
}
const desk = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };
const looks: readonly Look[] = [
  { language: 'en', colorScheme: 'light', ...desk },
  { language: 'pt-BR', colorScheme: 'dark', ...phone },
  { language: 'es', colorScheme: 'dark', ...desk },
  { language: 'id', colorScheme: 'light', ...phone },
];
/** All of them in long rounds; in short ones each walk has one of its own, but for the first, which most other tests have. */
const looksOf = (walk: number): readonly Look[] =>
  looks.slice(rounds({ short: walk, long: 0 }), rounds({ short: walk + 1, long: looks.length }));

/** The most that the pages use of a screen, and the longest line of a text that the eye follows. */
const widest = { page: 1840, line: 1024 };
/** Run in the page: what is beyond that. */
const stretched = `(() => {
  const found = [...document.querySelectorAll('main *')].filter((element) => element.getBoundingClientRect().right > ${widest.page});
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement } = texts.currentNode;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    if ([...range.getClientRects()].some(({ width }) => width > ${widest.line})) found.push(parentElement);
  }
  return found.slice(0, 3).map((element) => element.outerHTML.slice(0, 200));
})()`;

describe('in an installation of some years,', () => {
  const portal = usePortal({ env: { SECRET_KEY: secret.toString('hex') } });
  let data: PortalData;
  beforeAll(async () => {
    await portal.gateway.restart({
      async whileDown(store) {
        data = await fillPortal({ store, vault: createVault(secret), sizes, now: Date.now() });
      },
    });
    const linked = data.numbers.filter(({ linked, restriction_reason }) => linked === 1 && restriction_reason === null).length;
    const open = () => portal.gateway.app.sessions.all().filter(({ status }) => status === 'open').length;
    await waitFor(() => expect(open()).toBeGreaterThanOrEqual(linked));
  }, 600_000);

  /** Somebody at the portal with such a look, who makes sure of every page. */
  async function walker(as: SignedIn, { language, ...look }: Look) {
    const visitor = await portal.visitor({ as, ...look });
    const { page } = visitor;
    await visitor.context.addInitScript(`if (origin !== 'null') localStorage.setItem('language', '${language}')`);
    const say = words(language);
    const check = async () => {
      await settled(page);
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
      expect(await violations(page), page.url()).toEqual([]);
      expect(await page.evaluate(sticksOut), `${page.url()} is too wide`).toEqual([]);
      expect(await page.locator('main tbody tr').count()).toBeLessThanOrEqual(mostRows);
    };
    /** Follows an entry of the navigation to the page of this name. */
    const go = async (entry: string) => {
      await goTo(page, entry, say);
      await page.getByRole('heading', { level: 1, name: say(entry), exact: true }).waitFor();
      await check();
    };
    return { visitor, page, say, check, go };
  }

  it.each(looksOf(3))('an operator finds at night why a number is down, and what to do: $language', { timeout: 600_000 }, async (look) => {
    const { visitor, page, say, check, go } = await walker(await operator(portal.gateway), look);
    await visitor.open('/');
    // What is broken leads to the number, whose page says why.
    const broken = page.getByRole('region', { name: say('Needs attention') });
    await broken.waitFor();
    await check();
    await broken.locator('a[href^="/operator/numbers/"]').first().click();
    await page.waitForURL(/\/operator\/numbers\/[0-9a-f-]{36}$/);
    const state = page.getByRole('region', { name: say('State'), exact: true });
    await state.getByText(say('Needs a person')).waitFor();
    await state.getByText(say('What to do')).waitFor();
    await check();
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    const address = page.url();

    // The same number by its id, from whichever page.
    await go('Health');
    await search(page, say, new URL(address).pathname.split('/').at(-1) ?? '');
    await page.waitForURL(address);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

    // All that need somebody, page by page.
    await page
      .getByRole('main')
      .getByRole('link', { name: say('All numbers') })
      .click();
    await page.getByRole('combobox', { name: say('State'), exact: true }).click();
    await page.getByRole('option', { name: say('Needs a person') }).click();
    await page.waitForURL(/standing=needs_person/);
    await check();
    await page.getByRole('button', { name: say('Next page') }).click();
    await page.waitForURL(/after=/);
    await check();
    await go('Audit log');
  });

  it('every page of an operator keeps a measure on a screen of 1920 pixels', { timeout: 600_000 }, async () => {
    const { accounts, providers, numbers } = data;
    const { visitor, page } = await walker(await operator(portal.gateway), {
      language: 'en',
      colorScheme: 'light',
      width: 1920,
      height: 1080,
    });
    const lists = ['accounts', 'numbers', 'users', 'providers', 'plans', 'alerts', 'usage', 'health', 'audit'];
    const ones = [`accounts/${accounts[0]?.id}`, `providers/${providers[0]?.id}`, `numbers/${numbers[0]?.id}`];
    await visitor.open('/');
    for (const path of [...lists, ...ones]) {
      await visitor.go(`/operator/${path}`);
      await settled(page);
      expect(await page.evaluate(stretched), path).toEqual([]);
      expect(await page.evaluate(sticksOut), path).toEqual([]);
    }
  });

  it.each(looksOf(1))('a reseller looks after her customers and their numbers: $language', { timeout: 600_000 }, async (look) => {
    const { providers, accounts } = data;
    const provider = providers[0];
    if (provider === undefined) throw new Error('there is no provider');
    const admin = await personAt(portal.gateway, { role: 'provider_admin', providerId: provider.id });
    const { visitor, page, say, check, go } = await walker(admin, look);
    await visitor.open('/');
    await check();
    await go('Accounts');
    // A customer by name, whose page has everything of it.
    const customer = accounts.find(({ provider_id, status }) => provider_id === provider.id && status === 'active');
    if (customer === undefined) throw new Error('the provider has no customer');
    await page.getByRole('searchbox', { name: say('Find an account') }).fill(customer.name);
    await page.waitForURL(/search=/);
    await page.getByRole('link', { name: customer.name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: customer.name }).waitFor();
    await check();

    // Several at once: what will happen is said before it does.
    await go('Accounts');
    const boxes = page
      .getByRole('table', { name: say('Accounts') })
      .locator('tbody')
      .getByRole('checkbox');
    await boxes.first().check();
    await boxes.nth(1).check();
    const chosen = page.getByRole('region', { name: say('The chosen ones') });
    await chosen.getByRole('button', { name: say('Suspend') }).click();
    await page.getByRole('dialog').waitFor();
    await settled(page);
    expect(await violations(page, 'all', 'open')).toEqual([]);
    await page.keyboard.press('Escape');
    await chosen.getByRole('button', { name: say('Choose none') }).click();

    // A new one together with its owner.
    await page.getByRole('button', { name: say('New account') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: say('Name'), exact: true }).fill('Lighthouse Books');
    await dialog.getByLabel(say('Owner’s e-mail address')).fill('ada@example.com');
    await dialog.getByRole('button', { name: say('Create account') }).click();
    await dialog.getByText(/\/link\//).waitFor();
    await settled(page);
    expect(await violations(page, 'all', 'open')).toEqual([]);
    await dialog.getByRole('button', { name: say('Done') }).click();
    await page.getByRole('heading', { level: 1, name: 'Lighthouse Books' }).waitFor();
    await check();

    await go('All numbers');
    await go('Usage of accounts');
  });

  it.each(looksOf(2))('a developer has sent a first message within minutes: $language', { timeout: 600_000 }, async (look) => {
    const { gateway } = portal;
    const owner = await memberOf(gateway, (await gateway.customer({ name: 'Corner Books' })).accountId, 'owner');
    const { visitor, page, say, check, go } = await walker(owner, look);
    await visitor.open('/');
    await page.getByRole('heading', { name: say('Three steps to your first message') }).waitFor();
    await check();
    const key = await createKey(page, 'Web shop', say);
    expect((await gateway.call('GET', '/v1/instances', { key })).status).toBe(200);
    await check();
    await addSandboxNumber(page, 'Shop', say);
    await check();
    await go('Send');
    await sendExample(page, { kind: 'Text', to: '+15550123', say });
    await check();
    await go('Sandbox phone');
    // Where there is room for one thing only, the contacts come first.
    const contacts = page.getByRole('navigation', { name: say('Contacts') });
    if (look.width < desk.width) await contacts.getByRole('link').first().click();
    await page.getByRole('log').locator('article[data-type="text"]').waitFor();
    await check();
  });
});

/** Looks for a text from whichever page, by keyboard alone, and opens what is found first. */
async function search(page: Page, say: Say, text: string): Promise<void> {
  const palette = page.getByRole('dialog', { name: say('Search') });
  await page.keyboard.press('Control+k');
  await palette.getByRole('textbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
  await palette.locator('[aria-busy=false]').waitFor();
  await palette.getByRole('button').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}
