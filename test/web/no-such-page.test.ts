import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { violations } from './axe.ts';

describe('a mistyped address', () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway('sqlite');
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.stop();
  });

  it.each([
    ['a wide light window', 'light', 1400],
    ['a dark phone', 'dark', 390],
  ] as const)('tells a person so in %s, and leads home', async (_, colorScheme, width) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    page.setDefaultTimeout(10_000);
    const answer = await page.goto(`${gateway.address}/a/mistyped/address`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.waitForURL((url) => url.pathname === '/sign-in');
    await page.close();
  });
});
