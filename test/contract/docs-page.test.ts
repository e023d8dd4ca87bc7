import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/core/index.ts';
import { openChromium } from '../support/chromium.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let browser: Awaited<ReturnType<typeof openChromium>>;

beforeAll(async () => {
  gateway = await startGateway('sqlite', { env: { NETWORKS: 'sandbox' } });
  browser = await openChromium();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

/** A page that notes what it asks for and what goes wrong on it. */
async function openPage(): Promise<{ page: Page; requests: string[]; troubles: string[] }> {
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
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

describe.each([
  ['a wide light window', 'light', 1400],
  ['a dark phone', 'dark', 390],
] as const)('the docs page in %s', (_, colorScheme, width) => {
  test('shows the API, asks nobody but its own server, and nothing goes wrong', async () => {
    const { page, requests, troubles } = await openPage();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${gateway.address}/docs`);
    await page.getByRole('heading', { name: 'Errors' }).first().waitFor();
    const text = await page.locator('body').innerText();
    expect(text).toContain('Messaging Gateway API');
    for (const code of Object.keys(catalogue)) expect(text).toContain(code);
    await page.evaluate("location.hash = '#tag/messages/POST/v1/messages/text'");
    await page.getByRole('heading', { name: 'Send a text message' }).first().waitFor();
    await page.getByText('quoted_message_id').first().waitFor();
    // Time for what it might still ask for once it is shown.
    await page.waitForTimeout(1000);

    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.evaluate('document.fonts.size')).toBe(0);
    expect(new Set(requests.map((url) => new URL(url).origin))).toEqual(new Set([gateway.address]));
    expect(requests.map((url) => new URL(url).pathname).sort()).toEqual([
      '/docs',
      '/docs/scalar.js',
      '/docs/start.js',
      '/openapi.json',
      '/portal/api/docs-examples',
    ]);
    expect(troubles).toEqual([]);
    await page.close();
  });
});

test('a request is tried on the server that shows the page, with the key that was typed in', async () => {
  const { key } = await gateway.customer();
  const { page, requests, troubles } = await openPage();
  await page.setViewportSize({ width: 1400, height: 900 });
  await page.goto(`${gateway.address}/docs#tag/instances/GET/v1/instances`);
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
    expect(body).not.toMatch(/https?:/);
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
