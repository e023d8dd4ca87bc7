import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillPortal, type PortalData } from '../../bench/portal-data/index.ts';
import { createVault } from '../../src/core/index.ts';
import { operator, personAt, type SignedIn } from '../support/portal.ts';
import { type ColorScheme, settled } from '../support/portal-browser.ts';
import { rounds } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';
import { goTo } from './steps.ts';
import { sticksOut } from './too-wide.ts';
import { usePortal } from './use-portal.ts';
import { type Say, words } from './words.ts';

const secret = Buffer.alloc(32, 5);
/** What an installation of some years has; in short rounds what every list needs for several pages. */
const sizes = {
  providers: 20,
  people: 300,
  keys: 400,
  invitations: 0,
  usageDays: 30,
  accounts: rounds({ short: 120, long: 2_000 }),
  numbers: rounds({ short: 1_200, long: 20_000 }),
  audit: rounds({ short: 500, long: 100_000 }),
  requests: rounds({ short: 500, long: 200_000 }),
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
/** All of them in long rounds; in short ones each walk has one of its own. */
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
  beforeAll(
    async () => {
      await portal.gateway.restart({
        async whileDown(store) {
          data = await fillPortal({ store, vault: createVault(secret), sizes, now: Date.now() });
        },
      });
      const linked = data.numbers.filter(({ linked, restriction_reason }) => linked === 1 && restriction_reason === null).length;
      const open = () => portal.gateway.app.sessions.all().filter(({ status }) => status === 'open').length;
      await waitFor(() => expect(open()).toBeGreaterThanOrEqual(linked), { timeout: rounds({ short: 10_000, long: 240_000 }) });
    },
    rounds({ short: 60_000, long: 600_000 }),
  );

  /** Somebody at the portal with such a look, who makes sure of every page. */
  async function walker(as: SignedIn, { language, ...look }: Look) {
    const visitor = await portal.visitor({ as, ...look });
    const { page } = visitor;
    await visitor.context.addInitScript(`if (origin !== 'null') localStorage.setItem('language', '${language}')`);
    const say = words(language);
    const check = async () => {
      await settled(page);
      expect(await page.evaluate('document.documentElement.lang')).toBe(language);
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

  it.each(looksOf(3))('an operator finds at night why a number is down, and what to do: $language', async (look) => {
    const { visitor, page, say, check, go } = await walker(await operator(portal.gateway), look);
    await visitor.open('/');
    // What is broken leads to the number, whose page says why.
    const broken = page.getByRole('region', { name: say('Needs attention') });
    await broken.waitFor();
    await check();
    // With so many numbers, by way of those with the same reason.
    await broken.locator('a[href^="/operator/numbers?"]').first().click();
    await page.waitForURL(/reason=/);
    await check();
    await page.getByRole('main').locator('td, th').locator('a[href^="/operator/numbers/"]').first().click();
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
    await page.getByRole('combobox', { name: say('Reason'), exact: true }).click();
    // The one that is chosen is taken back.
    await page.getByRole('option', { selected: true }).click();
    await page.waitForURL(({ search }) => search.includes('standing=needs_person') && !search.includes('reason='));
    await check();
    await page.getByRole('button', { name: say('Next page') }).click();
    await page.waitForURL(/after=/);
    await check();
    await go('Audit log');
  });

  it('every page of an operator keeps a measure on a screen of 1920 pixels', async () => {
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

  it.each(looksOf(1))('a reseller looks after her customers and their numbers: $language', async (look) => {
    const { providers, accounts } = data;
    const provider = providers[0];
    if (provider === undefined) throw new Error('there is no provider');
    const admin = await personAt(portal.gateway, { role: 'provider_admin', providerId: provider.id });
    const { visitor, page, say, check, go } = await walker(admin, look);
    await visitor.open('/');
    await check();
    await go('Accounts_page');
    // A customer by name, whose page has everything of it.
    const customer = accounts.find(({ provider_id, status }) => provider_id === provider.id && status === 'active');
    if (customer === undefined) throw new Error('the provider has no customer');
    await page.getByRole('searchbox', { name: say('Find an account') }).fill(customer.name);
    await page.waitForURL(/search=/);
    await page.getByRole('link', { name: customer.name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: customer.name }).waitFor();
    await check();

    await go('All numbers');
    await go('Usage of accounts');
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
