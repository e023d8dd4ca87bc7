import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allKinds } from '../../src/kinds/index.ts';
import type { Customer } from '../support/gateway.ts';
import { expectOk, memberOf } from '../support/portal.ts';
import { type Portal, startPortal, type Visitor } from '../support/portal-browser.ts';

// The page Send as a newcomer uses it: nothing is typed but what an example fills in.

let portal: Portal;
let customer: Customer;
let instanceId: string;
let page: Page;
let expects: Visitor['expects'];
beforeAll(async () => {
  portal = await startPortal({ env: { NETWORKS: 'sandbox' } });
  customer = await portal.gateway.customer();
  instanceId = await customer.linked('15550100');
  ({ page, expects } = await portal.visitor({ as: await memberOf(portal.gateway, customer.accountId) }));
});
afterAll(async () => {
  const troubles = await portal?.leave();
  await portal?.stop();
  expect(troubles).toEqual([]);
});

const to = '15550123';
const preview = () => page.getByRole('region', { name: 'As the recipient will see it' });
const open = (type: string) => page.goto(`${portal.gateway.address}/send?kind=${type}`);
const send = () => page.getByRole('button', { name: 'Send', exact: true }).click();
/** What a bubble says, without the time at which it arrived and what is known of a file only then. */
const said = (text: string) =>
  text
    .replace(/\b\d{1,2}:\d\d(\s?[AP]M)?\b/g, '')
    .replace(/\b[\d.]+ (kB|MB|bytes)\b|1 page/g, '')
    .replace(/[\s·]+/g, ' ')
    .trim();

it('says at the fields what is missing, and sends nothing', async () => {
  await open('poll');
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await send();
  await expect.poll(() => page.getByText('Fill this in.').count()).toBe(3);
  await page.getByText("Enter the recipient's number.").waitFor();
  // What was changed is no longer wrong.
  await page.getByRole('textbox', { name: 'Question' }).fill('When?');
  await expect.poll(() => page.getByText('Fill this in.').count()).toBe(2);
  // The server could not say it: no header of a browser's can have this dash.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('textbox', { name: 'Idempotency key' }).fill('order–1042');
  await send();
  await page.getByText('Use 8 to 255 characters').waitFor();
  expect(asked.filter((path) => path.startsWith('/portal/api/messages/'))).toEqual([]);
});

it.each(allKinds.map(({ type }) => type))(
  'an example of %s is sent as it is, to a number that answers, and looks as it did before',
  async (type) => {
    await open(type);
    await page.getByRole('button', { name: 'Fill with an example' }).click();
    await page.getByRole('menuitem').first().click();
    const before = await preview().locator('article').innerText();
    const media = preview().locator('article :is(img, video, audio)').first();
    if (['image', 'sticker'].includes(type)) {
      await expect.poll(() => media.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(100);
    }
    await send();
    await page
      .getByText(`Accepted for delivery to +1 555 0123`, { exact: false })
      .or(page.getByText('Accepted for delivery'))
      .first()
      .waitFor();
    const [arrived] = (await customer.received(to)).slice(-1);
    expect(arrived.type).toBe(type);
    if (type === 'reaction') return expect(before).toContain(arrived.content.emoji);
    await page.goto(`${portal.gateway.address}/sandbox-phone?with=${to}`);
    const bubble = page.locator(`article[data-message-id="${arrived.message_id}"]`);
    await bubble.waitFor();
    expect(said(before)).toBe(said(await bubble.innerText()));
  },
);

it('shows a reply as a reply while it is written, and the request in four languages', async () => {
  await open('text');
  await page.getByRole('textbox', { name: 'Text' }).fill('Is *this* it?');
  await preview().locator('article strong, article b').getByText('this').waitFor();
  await page.getByRole('button', { name: 'More' }).click();
  const reply = page.getByRole('textbox', { name: 'Reply to' });
  await reply.fill(' 3EB0C767D097B7C1A2F4 ');
  expect(await reply.inputValue()).toBe('3EB0C767D097B7C1A2F4');
  await preview().getByText('The message you reply to').waitFor();
  await preview().getByText('You', { exact: true }).waitFor();
  const code = page.getByRole('region', { name: 'Code' });
  for (const [name, part] of [
    ['Python', 'urllib.request'],
    ['PHP', 'curl_setopt_array'],
    ['TypeScript', 'await fetch'],
    ['curl', 'curl -s --max-time'],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    await expect.poll(() => code.innerText()).toContain(part);
    expect(await code.innerText()).toContain('3EB0C767D097B7C1A2F4');
  }
  await page.getByText('PHP', { exact: true }).click();
  await page.reload();
  await expect.poll(() => code.innerText()).toContain('<?php');
});

it('replies and reacts to a message that is chosen among the latest', async () => {
  const chat = '15550199';
  const { message_id } = expectOk(await customer.send('text', { instance_id: instanceId, to: chat, text: 'The one' })).body.data;
  const choose = async () => {
    await page.getByRole('combobox', { name: 'A message that this number sent' }).click();
    await page.getByRole('option', { name: /^Text to \+15550199/ }).click();
    expect(await page.getByRole('textbox', { name: 'To', exact: true }).inputValue()).toBe(`+${chat}`);
  };
  await open('reaction');
  await choose();
  await page.getByRole('textbox', { name: 'Emoji' }).fill('👍');
  await send();
  await page.getByText('Accepted for delivery').first().waitFor();
  await open('text');
  await page.getByRole('button', { name: 'More' }).click();
  await choose();
  await page.getByRole('textbox', { name: 'Text' }).fill('The answer');
  await send();
  await page.getByText('Accepted for delivery').first().waitFor();
  const [, reaction, reply] = await customer.received(chat);
  expect([reaction.content.message_id, reply.quoted.message_id]).toEqual([message_id, message_id]);
});

it('sends a message that was not confirmed once, however often it is tried', async () => {
  // The sandbox loses the first acknowledgement for a number ending in 0004.
  const number = '491720990004';
  expects('502: POST');
  await open('text');
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(number);
  await page.getByRole('textbox', { name: 'Text' }).fill('Only once');
  await send();
  await page.getByText('Not confirmed').waitFor();
  await page.getByText('Trying again is safe: the message arrives at most once.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Accepted for delivery').waitFor();
  await send();
  await page.getByText('nothing was sent a second time').waitFor();
  expect(await customer.received(number)).toHaveLength(1);
  // Who means another message says so, and cannot press again before its answer.
  const answered = Promise.withResolvers<void>();
  await page.route(
    '**/portal/api/messages/text',
    async (route) => {
      await answered.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const onceMore = page.getByRole('button', { name: 'Send it once more' });
  await onceMore.click();
  await expect.poll(() => onceMore.isDisabled()).toBe(true);
  answered.resolve();
  await page.getByText('Not confirmed').waitFor();
  expect(await customer.received(number)).toHaveLength(2);
});

it('sends once a message whose answer was lost on the way', async () => {
  const number = '491720990010';
  expects('/portal/api/messages/text');
  await open('text');
  await page.route(
    '**/portal/api/messages/text',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('textbox', { name: 'To', exact: true }).fill(number);
  await page.getByRole('textbox', { name: 'Text' }).fill('Only once');
  await send();
  await page.getByText('No response came').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('nothing was sent a second time').waitFor();
  expect(await customer.received(number)).toHaveLength(1);
});

it('shows no key, and code that does not try again, where the gateway honours none', async () => {
  const off = await startPortal({ env: { NETWORKS: 'sandbox', IDEMPOTENCY: 'off' } });
  try {
    const someone = await off.gateway.customer();
    await someone.linked('15550100');
    const visitor = await off.visitor({ as: await memberOf(off.gateway, someone.accountId) });
    await visitor.page.goto(`${off.gateway.address}/send?kind=text`);
    const code = visitor.page.getByRole('region', { name: 'Code' });
    await code.filter({ hasText: 'curl' }).waitFor();
    expect(await code.textContent()).not.toMatch(/idempotency-key|--retry/);
    await visitor.page.getByRole('button', { name: 'More' }).click();
    await visitor.page.getByRole('textbox', { name: 'Reply to' }).waitFor();
    expect(await visitor.page.getByRole('textbox', { name: 'Idempotency key' }).count()).toBe(0);
    expect(await off.leave()).toEqual([]);
  } finally {
    await off.stop();
  }
});
