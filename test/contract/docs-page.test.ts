import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/core/index.ts';
import { openChromium } from '../support/chromium.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { anyStore } from '../support/run-options.ts';
import { violations } from '../web/axe.ts';

let gateway: TestGateway;
let browser: Awaited<ReturnType<typeof openChromium>>;

beforeAll(async () => {
  gateway = await startGateway(anyStore, { env: { NETWORKS: 'sandbox' } });
  browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** A page that notes what it asks for and what goes wrong on it. */
async function openPage(): Promise<{ page: Page; requests: string[]; troubles: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  const requests: string[] = [];
  const troubles: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  page.on('requestfailed', (request) => troubles.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`);
  });
  // Violations of the content security policy are told as console errors.
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => troubles.push(`thrown: ${error.message}`));
  return { page, requests, troubles };
}

/** What came over the wire for the page and its files, in bytes, heads included. */
async function transferred(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  return () => bytes;
}

describe.each([
  ['a wide light window', 'light', 1400],
  ['a dark phone', 'dark', 390],
] as const)('the docs page in %s', (_, colorScheme, width) => {
  test('shows the API within its budget, asks nobody but its own server, and nothing goes wrong', async () => {
    const { page, requests, troubles } = await openPage();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const bytes = await transferred(page);
    await page.goto(`${gateway.address}/docs`, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Send a text message' }).waitFor();
    const text = await page.locator('body').innerText();
    expect(text).toContain('Messaging Gateway API');
    for (const [code, { condition, cure }] of Object.entries(catalogue)) {
      const section = await page.locator(`#error-${code}`).innerText();
      for (const part of [code, condition, cure]) expect(section).toContain(part);
    }
    // Formatting markers are shown as they are typed.
    const ofText = page.locator('#sendText');
    for (const shown of ['*bold*', '_italic_', '~strikethrough~', '*Order 1042* is _on its way_'])
      expect(await ofText.textContent()).toContain(shown);

    expect(bytes()).toBeGreaterThan(10_000);
    expect(bytes()).toBeLessThan(100_000);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.evaluate('document.fonts.size')).toBe(0);
    expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([gateway.address]));
    expect(requests.map((url) => new URL(url).pathname).sort()).toEqual([
      '/docs',
      '/docs/page.css',
      '/docs/page.js',
      '/portal/api/docs-examples',
    ]);
    expect(troubles).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await page.close();
  });
});

test('the reference finds endpoints, fields and errors by the keyboard, and shows its examples in four languages', async () => {
  const { page, troubles } = await openPage();
  await page.goto(`${gateway.address}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('media fetch');
  await page.getByRole('option', { name: 'media_fetch_failed' }).first().waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#error-media_fetch_failed');
  await page.keyboard.press('/');
  await page.keyboard.type('selectable');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#sendPoll');
  await page.keyboard.press('/');
  await page.keyboard.type('twice');
  await page.getByRole('option', { name: 'Retrying safely' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#retrying-safely');

  const code = page.locator('#sendText .languages');
  for (const [name, part] of [
    ['Python', 'urllib.request'],
    ['PHP', 'curl_setopt_array'],
    ['TypeScript', 'await fetch'],
    ['curl', 'curl -s --max-time'],
  ] as const) {
    await code.getByRole('button', { name, exact: true }).click();
    const shown = await code.innerText();
    expect(shown).toContain(part);
    expect(shown).toContain(`${gateway.address}/v1/messages/text`);
  }
  expect(troubles).toEqual([]);
  await page.close();
});

test('can be read without scripts, and from the anchor of an error', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${gateway.address}/docs#error-instance_not_connected`);
  const section = page.locator('#error-instance_not_connected');
  await section.waitFor();
  const box = await section.boundingBox();
  expect(box?.y).toBeLessThan(400);
  expect(await page.locator('#sendText').innerText()).toContain('curl -s');
  await context.close();
});

test('a request is tried on the server that shows the page, with the key that was typed in', async () => {
  const { key } = await gateway.customer();
  const { page, requests, troubles } = await openPage();
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.goto(`${gateway.address}/docs`);
  await page.locator('#listInstances').getByRole('link', { name: 'Try it' }).click();
  await page.waitForURL(/\/docs\/try/, { waitUntil: 'commit' });
  // A megabyte of script.
  await page.waitForLoadState();
  await page.getByPlaceholder('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT').first().fill(key);
  await page.getByRole('button', { name: 'Test Request (get /v1/instances)', exact: false }).first().click();
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/instances');
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answered).status()).toBe(200);
  expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([gateway.address]));
  expect(troubles).toEqual([]);
  await page.close();
});

describe('over plain HTTP', () => {
  test('the page is HTML with the headers that keep it to itself, and needs no key', async () => {
    const { status, headers, body } = await gateway.call('GET', '/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|upgrade-insecure/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-ratelimit-scope')).toBeNull();
    expect(body).not.toMatch(/(src|href)="https?:/);
  });

  test('a slash at the end leads to the page, also behind a path prefix', async () => {
    const answer = await fetch(`${gateway.address}/docs/`, { redirect: 'manual' });
    expect(answer.status).toBe(308);
    expect(new URL(answer.headers.get('location') ?? '', 'https://example.com/gateway/docs/').pathname).toBe('/gateway/docs');
  });

  test("Scalar's script comes compressed or plain, and is not sent twice", async () => {
    const address = `${gateway.address}/docs/scalar.js`;
    const compressed = await fetch(address, { headers: { 'accept-encoding': 'gzip' } });
    const plain = await fetch(address, { headers: { 'accept-encoding': 'identity' } });
    expect([compressed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await compressed.text()).toBe(await plain.text());
    const etag = plain.headers.get('etag') ?? '';
    expect((await fetch(address, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  test('the API keeps its own headers', async () => {
    expect((await gateway.call('GET', '/health')).headers.get('content-security-policy')).toBeNull();
  });
});
