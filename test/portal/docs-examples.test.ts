import { beforeAll, expect, it } from 'vitest';
import { openChromium } from '../support/chromium.ts';
import type { Customer } from '../support/gateway.ts';
import { expectOk, memberOf, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

let shop: Customer;
let instanceId: string;
let member: SignedIn;
const nulls = { instance_id: null, key_prefix: null };

const { gateway } = useGateway({ store: 'sqlite' });
beforeAll(async () => {
  shop = await gateway.customer();
  expectOk(await shop.call('POST', '/v1/instances', {}));
  instanceId = await shop.linked();
  member = await memberOf(gateway, shop.accountId);
});

it('gives a signed-in reader a connected number and the beginning of the newest live key', async () => {
  const { data } = expectOk(await member.call('GET', '/portal/api/docs-examples')).body;
  expect(data).toEqual({ instance_id: instanceId, key_prefix: shop.key.slice(0, 'mgw_12345678'.length) });
});

it('gives nothing to strangers, to people of other accounts, and to those who act for none', async () => {
  const other = await memberOf(gateway, (await gateway.customer()).accountId);
  const { data } = expectOk(await other.call('GET', '/portal/api/docs-examples')).body;
  expect(data.instance_id).toBeNull();
  for (const [browser, account] of [
    [openBrowser(gateway), null],
    [openBrowser(gateway), shop.accountId],
    [other, shop.accountId],
    [await operator(gateway), null],
  ] as const) {
    expect(expectOk(await browser.call('GET', '/portal/api/docs-examples', { account })).body.data).toEqual(nulls);
  }
});

it('stand in the examples of the API reference, and the whole key nowhere', async () => {
  const chromium = await openChromium();
  try {
    const context = await chromium.newContext();
    await context.addCookies([...member.cookies].map(([name, value]) => ({ name, value, url: gateway.address })));
    const page = await context.newPage();
    await page.setViewportSize({ width: 1400, height: 900 });
    const prefix = shop.key.slice(0, 'mgw_12345678'.length);
    await page.goto(`${gateway.address}/docs#sendText`);
    await page.locator('#sendText .languages').getByText(instanceId).first().waitFor();
    expect(await page.locator('#sendText .languages').innerText()).toContain(`apikey: ${prefix}_…`);
    expect(await page.content()).not.toContain('YOUR_API_KEY');
    expect(await page.content()).not.toContain(shop.key);

    await page.locator('#sendText').getByRole('link', { name: 'Try it' }).click();
    await page.getByRole('heading', { name: 'Send a text message' }).first().waitFor();
    await page.getByText(instanceId).first().waitFor();
    const fields = page.locator(`input[value^="${prefix}"]`);
    await expect.poll(async () => (await page.content()).includes(prefix) || (await fields.count()) > 0).toBe(true);
    expect(await page.content()).not.toContain(shop.key);
  } finally {
    await chromium.close();
  }
});
