import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Person } from 'whatsapp-test-server';
import { makeScanLink } from '../../src/people/index.ts';
import { at } from '../support/act.ts';
import { openChromium } from '../support/chromium.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { memberOf } from '../support/portal.ts';
import { waitFor } from '../support/wait-for.ts';
import { startWhatsAppWorld, type WhatsAppWorld } from '../support/whatsapp-gateway.ts';
import { type ExtensionBrowser, havePasskey, openExtensionBrowser } from './extension-browser.ts';
import { sticksOut } from './too-wide.ts';

describe('linking with a passkey in the portal', () => {
  const clock = createManualClock(Date.now());
  let world: WhatsAppWorld;
  let browser: ExtensionBrowser;
  let page: Page;
  let dialog: Locator;
  let phone: Person;
  let id: string;
  let problems: number;
  beforeAll(async () => {
    world = await startWhatsAppWorld({ clock, server: { clock } });
    const zip = await (await fetch(`${world.gateway.address}/portal/passkey-extension.zip`)).bytes();
    browser = await openExtensionBrowser(zip);
    const { cookies } = await memberOf(world.gateway, world.customer.accountId, 'owner');
    const url = world.gateway.address;
    await browser.context.addCookies([...cookies].map(([name, value]) => ({ name, value, url, httpOnly: true })));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  const image = () => dialog.getByRole('img', { name: 'QR code to scan with the phone' });
  beforeEach(async () => {
    world.server.faults.clear();
    problems = world.server.record.problems.length;
    for (const open of browser.context.pages().slice(1)) await open.close();
    id = await world.instance();
    phone = world.somebody();
  });
  async function openDialog() {
    const label = `Shop ${id.slice(-6)}`;
    await world.customer.call('PATCH', `/v1/instances/${id}`, { label });
    [page = await browser.context.newPage()] = browser.context.pages();
    await page.goto(`${world.gateway.address}/numbers`);
    await page.getByRole('button', { name: new RegExp(`(Show code|Link).*${label}`) }).click();
    dialog = page.getByRole('dialog');
    await image().waitFor();
  }
  /** The phone scans, and the network asks for the passkey. */
  async function isAskedFor() {
    world.server.faults.askPasskey(true);
    await expect(phone.scan(await world.code(id))).rejects.toThrow('passkey');
  }
  /** The same with what the dialog shows. */
  async function scan() {
    await openDialog();
    await isAskedFor();
    await dialog.getByRole('heading', { name: 'WhatsApp is asking for your passkey' }).waitFor();
  }
  async function isLinked() {
    await dialog.getByRole('heading', { name: 'Linked', exact: true }).waitFor();
    expect((await world.get(id, 'status')).phone_number).toBe(phone.number);
    expect(world.server.record.problems.slice(problems)).toEqual([]);
  }

  it('repaints a code that is renewed while a phone scans, and goes on by itself', async () => {
    await openDialog();
    const before = await image().getAttribute('src');
    await phone.scan(await world.code(id), async () => {
      // Told by a live event: the page's own next look is ten seconds away.
      await waitFor(async () => expect(await image().getAttribute('src')).not.toBe(before));
      return world.code(id);
    });
    await isLinked();
  });

  it('with the extension: the page of WhatsApp asks, and the answer comes back by itself [passkey.portal]', async () => {
    await scan();
    const opened = browser.context.waitForEvent('page');
    await dialog.getByRole('link', { name: "Open WhatsApp's page" }).click();
    const whatsapp = await opened;
    await havePasskey(whatsapp, phone);
    const asking = whatsapp.getByRole('dialog', { name: 'Link a number to your gateway' });
    await asking.getByText(new URL(world.gateway.address).origin).waitFor();
    // The request is nowhere any more: neither in the address nor with a server.
    expect(whatsapp.url()).toBe('https://web.whatsapp.com/');
    expect(browser.asked.join()).not.toContain('challenge');
    await asking.getByRole('button', { name: 'Use the passkey' }).click();
    await isLinked();
    await whatsapp.getByRole('heading', { name: 'Passkey received' }).waitFor();
    expect(whatsapp.url()).toBe(`${world.gateway.address}/passkey`);
  });

  /** Visits WhatsApp's page with a request for the extension, coming from `referer`. */
  async function visit(request: { options: object; portal: string }, referer: string | null): Promise<Locator> {
    const visitor = await browser.context.newPage();
    const address = `https://web.whatsapp.com/#messaging-gateway-passkey=${encodeURIComponent(JSON.stringify({ ...request, token: 't' }))}`;
    await visitor.goto(address, referer === null ? {} : { referer });
    await visitor.getByRole('heading', { name: 'WhatsApp Web' }).waitFor();
    return visitor.getByRole('dialog');
  }

  const evil = 'https://evil.example';
  it.each<[what: string, portal: (own: string) => string, referer: (own: string) => string | null]>([
    ['did not open it', (own) => own, () => null],
    ['opened it for another', () => evil, (own) => `${own}/`],
    ['is of no gateway', () => evil, () => `${evil}/`],
  ])('the extension gives nothing to a page that %s [passkey.portal]', async (_, portal, referer) => {
    await isAskedFor();
    const { options } = await world.get(id, 'passkey');
    const own = world.gateway.address;
    expect(await (await visit({ options, portal: portal(own) }, referer(own))).count()).toBe(0);
  });

  it('the extension gives nothing for another site [passkey.portal]', async () => {
    await isAskedFor();
    const { options } = await world.get(id, 'passkey');
    const portal = world.gateway.address;
    const asking = await visit({ options: { ...options, rpId: 'example.com' }, portal }, `${portal}/`);
    await asking.getByText('It is for example.com, not for WhatsApp.').waitFor();
    expect(await asking.getByRole('button', { name: 'Use the passkey' }).count()).toBe(0);
    await asking.getByRole('button', { name: 'Cancel' }).click();
    expect(await asking.count()).toBe(0);
  });

  it('an answer with a token that no dialog waits for is told so', async () => {
    await scan();
    const other = await browser.context.newPage();
    await other.goto(`${world.gateway.address}/passkey#${encodeURIComponent(JSON.stringify({ token: 'another', credential: {} }))}`);
    await other.getByRole('heading', { name: 'Nothing is waiting for this passkey' }).waitFor();
    expect((await world.get(id, 'qr-status')).passkey.stage).toBe('requested');
  });

  it('without it: a text for the console, and the answer pasted back [passkey.portal]', async () => {
    await scan();
    await dialog.getByText('Without it', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Copy text' }).click();
    const snippet = await page.evaluate<string>('navigator.clipboard.readText()');
    const whatsapp = await browser.context.newPage();
    await whatsapp.goto('https://web.whatsapp.com/');
    await havePasskey(whatsapp, phone);
    // As the console does: not as a script of the page.
    const session = await browser.context.newCDPSession(whatsapp);
    await session.send('Runtime.evaluate', { expression: snippet, userGesture: true });
    await whatsapp.getByRole('button', { name: 'Use the passkey' }).click();
    const answer = await whatsapp.getByRole('textbox', { name: 'The answer' }).inputValue();
    await whatsapp.close();

    await dialog.getByLabel('The answer').fill('not an answer');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await dialog.getByText('This is not the whole answer.').waitFor();
    await dialog.getByLabel('The answer').fill('{"id":"x"}');
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await dialog.getByRole('alert').getByText('credential.toJSON()').waitFor();
    await dialog.getByLabel('The answer').fill(answer);
    await dialog.getByRole('button', { name: 'Send the answer' }).click();
    await isLinked();
  });

  it('late: the codes are compared', async () => {
    await scan();
    await clock.advanceAsync(6 * 60_000);
    await world.customer.call('POST', `/v1/instances/${id}/passkey`, {
      credential: phone.authenticator.sign((await world.get(id, 'passkey')).options),
    });
    await dialog.getByText(await phone.ceremony.code, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'The phone shows the same code' }).click();
    await isLinked();
  });

  it('says why it failed, and begins again', async () => {
    await scan();
    await clock.advanceAsync(10 * 60_000);
    await dialog.getByText('Nobody gave the passkey in time.').waitFor();
    world.server.faults.askPasskey(false);
    await dialog.getByRole('button', { name: 'Show a new code' }).click();
    await image().waitFor();
    await phone.scan(await world.code(id));
    await isLinked();
  });

  it('a scan link shows the codes on the phone itself, without a sign-in, until the number is linked', async () => {
    await openDialog();
    const { token } = await makeScanLink(world.gateway.app.store, { id, account_id: world.customer.accountId }, at(clock.now()));
    world.gateway.secrets.add('the token of a link', token);
    const visitors = await openChromium();
    try {
      const context = await visitors.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'en-GB' });
      const screen = await context.newPage();
      await screen.goto(`${world.gateway.address}/link/${token}`);
      await screen.getByLabel('Phone number').fill(`+${phone.number}`);
      await screen.getByRole('button', { name: 'Get a code' }).click();
      const typed = await screen.locator('output').innerText();
      expect(await screen.evaluate(sticksOut)).toEqual([]);
      await screen.getByText('Scan a code').click();
      expect(await screen.getByRole('img', { name: 'QR code to scan with the phone' }).getAttribute('src')).toBe(
        await image().getAttribute('src'),
      );
      // As in the dialog, whoever does not see the codes hears of them.
      await screen
        .getByRole('status')
        .filter({ hasText: /^Code \d+ of \d+ is shown\.$/ })
        .waitFor({ state: 'attached' });
      expect(await screen.evaluate(sticksOut)).toEqual([]);

      await phone.enterPairingCode(typed.replace('-', ''));
      await screen.getByRole('heading', { name: 'Linked', exact: true }).waitFor();
      await isLinked();
      await screen.reload();
      await screen.getByRole('heading', { name: 'Linked', exact: true }).waitFor();
    } finally {
      await visitors.close();
    }
  });

  it('can be given up for a new code', async () => {
    await scan();
    world.server.faults.askPasskey(false);
    await dialog.getByRole('button', { name: 'Start over with a new code' }).click();
    await image().waitFor();
    await phone.scan(await world.code(id));
    await isLinked();
  });
});
