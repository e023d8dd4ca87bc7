import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMailServer, type TestMailServer } from '../support/mail-server.ts';
import { memberOf, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { type Portal, startPortal } from '../support/portal-browser.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';
import { violations } from './axe.ts';

let portal: Portal;
let receiver: WebhookReceiver;
let mails: TestMailServer;
let owner: SignedIn;
let member: SignedIn;
let boss: SignedIn;
let admin: SignedIn & { providerId: string };
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  mails = await openMailServer({ tls: 'none' });
  const mail = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'gateway@example.com', PUBLIC_URL: 'http://gateway.example' };
  portal = await startPortal({ env: { MEDIA_ALLOW_HOSTS: receiver.allowed, ...mail } });
  const { gateway } = portal;
  admin = await providerAdmin(gateway);
  const { accountId } = await gateway.customer({ name: 'Sunrise Bakery', providerId: admin.providerId });
  owner = await memberOf(gateway, accountId, 'owner');
  member = await memberOf(gateway, accountId);
  boss = await operator(gateway);
});
afterAll(async () => {
  await portal?.stop();
  await receiver?.close();
  await mails?.stop();
});

it('an owner adds a webhook, tests it, gives it a new secret and removes it', async () => {
  const visitor = await portal.visitor({ as: owner, width: 390, height: 844, colorScheme: 'dark' });
  // The address inside.
  visitor.expects('400: POST');
  const { page, open } = visitor;
  await open('/alerts');
  await page.getByText('Nobody is told yet').waitFor();
  await page.getByRole('button', { name: 'Add the first target' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText('Enter the address that takes the posts.').waitFor();
  await dialog.getByLabel('Address').fill('http://10.0.0.1/alerts');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/^Must be a public http or https address/).waitFor();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByRole('checkbox', { name: 'A trial is nearly used up' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'A message is read' }).check();
  await dialog.getByRole('switch', { name: 'Quiet hours' }).check();
  await dialog.getByRole('switch', { name: 'Quiet hours' }).uncheck();
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'I have copied the secret' }).click();
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('link', { name: receiver.allowed }).click();
  await page.getByText('Nothing was sent yet').waitFor();
  // A target is told what becomes of messages only when that was chosen.
  const about = page.getByRole('region', { name: 'About the target' });
  await about.getByText(/a message is read/).waitFor();
  expect(await about.getByText(/message is delivered/).count()).toBe(0);
  await page.getByRole('button', { name: 'Send a test' }).click();
  const deliveries = page.getByRole('table', { name: 'Deliveries' });
  await deliveries.getByText('Delivered').waitFor();
  await deliveries.getByText('answered 204').waitFor();
  expect(receiver.posts).toHaveLength(1);
  await deliveries.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => receiver.posts.length).toBe(2);

  const edit = page.getByRole('button', { name: 'Edit' });
  await edit.click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await edit.and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'New secret' }).click();
  await dialog.getByRole('button', { name: 'Make new secret' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'I have copied the secret' }).click();
  await page.getByText('The old secret signs until').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove target' }).click();
  await page.getByText('Nobody is told yet').waitFor();
  expect(await portal.leave()).toEqual([]);
});

it('a mail address waits until somebody who reads its mails says yes on a page of their own [alerts.confirm]', async () => {
  const { page, open } = await portal.visitor({ as: owner });
  await open('/alerts');
  await page.getByRole('button', { name: 'Add a target' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'E-mail' }).check();
  await dialog.getByLabel('E-mail address').fill('stranger@example.com');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const table = page.getByRole('table', { name: 'Alert targets' });
  await table.getByText('Waiting for confirmation').waitFor();
  expect(await violations(page)).toEqual([]);
  await table.getByRole('link', { name: 'stranger@example.com' }).click();
  const about = page.getByRole('region', { name: 'About the target' });
  await about.getByText('Waiting for confirmation until').waitFor();
  expect(await page.getByRole('button', { name: 'Send a test' }).isDisabled()).toBe(true);
  expect(await violations(page)).toEqual([]);

  await expect.poll(() => mails.mails.map(({ to }) => to), { timeout: 20_000 }).toContain('stranger@example.com');
  const source = mails.mails[0]?.source.replace(/=\r?\n/g, '') ?? '';
  const [, path = ''] = /http:\/\/gateway\.example(\/link\/[\w-]+)/.exec(source) ?? [];
  const stranger = await portal.visitor({ width: 390, height: 844, colorScheme: 'dark' });
  await stranger.open(path);
  await stranger.page.getByText('Sunrise Bakery wants to have stranger@example.com told').waitFor();
  expect(await violations(stranger.page)).toEqual([]);
  // To open the page is not to agree.
  await page.reload();
  await about.getByText('Waiting for confirmation until').waitFor();
  await stranger.page.getByRole('button', { name: 'Get these alerts' }).click();
  await stranger.page.getByText('Alerts of Sunrise Bakery go to stranger@example.com from now on.').waitFor();
  expect(await violations(stranger.page)).toEqual([]);
  await page.reload();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').waitFor();
  expect(await about.getByText('Waiting for confirmation until').count()).toBe(0);
  expect(await portal.leave()).toEqual([]);
});

it('a changed mail address is not taken back, since the earlier one would have to confirm again; other changes are', async () => {
  const { page, open } = await portal.visitor({ as: owner });
  await open('/alerts');
  await page.getByRole('button', { name: 'Add a target' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'E-mail' }).check();
  await dialog.getByLabel('E-mail address').fill('first@example.com');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'first@example.com' }).click();
  const change = async (work: () => Promise<void>, said: string) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await work();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(said).waitFor();
  };
  await change(() => dialog.getByLabel('E-mail address').fill('second@example.com'), 'second@example.com has been changed.');
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await page.reload();
  const trial = dialog.getByRole('checkbox', { name: 'A trial is nearly used up' });
  await change(() => trial.uncheck(), 'second@example.com has been changed.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back.').waitFor();
  expect(await portal.leave()).toEqual([]);
});

it('members have no such page, a provider’s admin adds targets of the provider, and an operator of everything', async () => {
  const first = await portal.visitor({ as: member });
  await first.open('/numbers');
  expect(await first.page.getByRole('link', { name: 'Alerts' }).count()).toBe(0);
  for (const [as, accounts] of [
    [admin, /^Accounts of provider/],
    [boss, 'All'],
  ] as const) {
    const { page, open } = await portal.visitor({ as });
    await open('/operator/alerts');
    await page.getByRole('button', { name: 'Add a target' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByRole('button', { name: 'I have copied the secret' }).click();
    await page.getByRole('table', { name: 'Alert targets' }).getByText(accounts, { exact: true }).waitFor();
  }
  expect(await portal.leave()).toEqual([]);
});
