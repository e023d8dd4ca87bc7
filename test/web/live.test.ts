import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Customer } from '../support/gateway.ts';
import { expectOk, memberOf, type SignedIn } from '../support/portal.ts';
import type { Visitor } from '../support/portal-browser.ts';
import { sendExample } from './steps.ts';
import { usePortal } from './use-portal.ts';

const events = '/portal/api/events';

describe('what others change', () => {
  const portal = usePortal();
  let customer: Customer;
  let owner: SignedIn;
  let member: SignedIn;
  let instanceId: string;
  beforeEach(async () => {
    customer = await portal.gateway.customer();
    [owner, member] = await Promise.all([
      memberOf(portal.gateway, customer.accountId, 'owner'),
      memberOf(portal.gateway, customer.accountId),
    ]);
    instanceId = await customer.linked();
    await rename('Shop');
  });

  const rename = async (label: string) => expectOk(await customer.call('PATCH', `/v1/instances/${instanceId}`, { label }));
  const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });

  /** Opens a page and waits for its stream. */
  async function follow(visitor: Visitor, path: string): Promise<void> {
    const stream = visitor.page.waitForResponse((response) => new URL(response.url()).pathname === events);
    await visitor.open(path);
    expect((await stream).status()).toBe(200);
  }

  it('leaves a menu open that somebody is choosing from', async () => {
    const visitor = await portal.visitor({ as: owner });
    const { page } = visitor;
    await follow(visitor, '/numbers');
    await page.getByRole('button', { name: 'More for Shop' }).click();
    const entry = page.getByRole('menuitem', { name: 'Rename' });
    await entry.waitFor();
    await rename('Market stall');
    await row(page, 'Market stall').waitFor();
    expect(await entry.isVisible()).toBe(true);
    await entry.click();
    await page.getByRole('dialog').getByLabel('Name').waitFor();
  });

  it('shows in a second browser by itself: names, states, new numbers and sends', async () => {
    const [one, two, three] = await Promise.all([
      portal.visitor({ as: owner }),
      portal.visitor({ as: member }),
      portal.visitor({ as: member, colorScheme: 'dark' }),
    ]);
    await Promise.all([follow(one, '/numbers'), follow(two, '/numbers'), follow(three, '/activity')]);
    await row(two.page, 'Shop').getByText('Connected').waitFor();

    await one.page.getByRole('button', { name: 'More for Shop' }).click();
    await one.page.getByRole('menuitem', { name: 'Rename' }).click();
    await one.page.getByRole('dialog').getByLabel('Name').fill('Market stall');
    await one.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row(two.page, 'Market stall').waitFor();

    await one.page.getByRole('button', { name: 'Add number' }).click();
    await one.page.getByRole('dialog').getByLabel('Name').fill('Van');
    await one.page.getByRole('dialog').getByRole('button', { name: 'Add and link' }).click();
    await row(two.page, 'Van').getByText('Waiting for a scan').waitFor();
    await one.page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
    await row(two.page, 'Van').getByText('Connected').waitFor();
    await one.page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

    await one.page.goto(`${portal.gateway.address}/send`);
    await sendExample(one.page, { kind: 'Poll', to: '+15550145' });
    await three.page.getByRole('list', { name: 'Sends' }).getByText('Poll').first().waitFor();

    expectOk(await customer.call('DELETE', `/v1/instances/${instanceId}?logout_only=true`));
    await row(two.page, 'Market stall').getByText('Needs a person').waitFor();
    // A message leaves from the number that was shown, or from none.
    const from = one.page.getByRole('combobox', { name: 'From', exact: true });
    await one.page.getByText('This number is not connected.').waitFor();
    expect(await from.inputValue()).toBe('Market stall');
    expectOk(await customer.call('DELETE', `/v1/instances/${instanceId}`));
    await row(two.page, 'Market stall').waitFor({ state: 'detached' });
    await expect.poll(() => from.inputValue()).toBe('');
    expect(await one.page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });

  it('reaches all tabs of a browser over one stream, whichever of them goes', async () => {
    // Eight pages are many for a busy machine.
    const timeout = 30_000;
    const { context, page } = await portal.visitor({ as: member });
    const streams: Page[] = [];
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === events) streams.push(request.frame().page());
    });
    const tabs = [page, ...(await Promise.all(Array.from({ length: 7 }, () => context.newPage())))];
    const allShow = (label: string) => Promise.all(tabs.map((tab) => row(tab, label).waitFor({ timeout })));
    await Promise.all(tabs.map((tab) => tab.goto(`${portal.gateway.address}/numbers`, { timeout })));
    await allShow('Shop');
    await rename('In all');
    await allShow('In all');
    expect(streams).toHaveLength(1);

    const [first] = streams;
    if (first === undefined) throw new Error('no tab has the stream');
    await first.close();
    tabs.splice(tabs.indexOf(first), 1);
    await rename('In those that stay');
    await allShow('In those that stay');
    expect(streams).toHaveLength(2);

    const [, second] = streams;
    await second?.evaluate('dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))');
    await expect.poll(() => streams.length).toBe(3);
    await rename('Without the one that was left');
    const there = tabs.filter((tab) => tab !== second);
    await Promise.all(there.map((tab) => row(tab, 'Without the one that was left').waitFor({ timeout })));
    await second?.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
    await allShow('Without the one that was left');
    expect(streams).toHaveLength(3);
  });

  it('is asked for once by a page that opens, whether it has the stream itself or another tab has', async () => {
    // What is stored of the number comes as an event too.
    await expect
      .poll(async () => expectOk(await member.call('GET', `/portal/api/numbers/${instanceId}`)).body.data.history.length)
      .toBeGreaterThan(0);
    const visitor = await portal.visitor({ as: member });
    const asked: string[] = [];
    visitor.context.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    const times = (path: string) => asked.filter((one) => one === path).length;
    await follow(visitor, '/numbers');
    await row(visitor.page, 'Shop').waitFor();
    const second = await visitor.context.newPage();
    await second.goto(`${portal.gateway.address}/numbers`);
    await row(second, 'Shop').waitFor();
    await rename('By the stream of the first');
    await Promise.all([visitor.page, second].map((page) => row(page, 'By the stream of the first').waitFor()));
    expect([times(events), times('/v1/instances')]).toEqual([1, 2]);
  });

  it('reaches a tab also when the one that should pass it on is halted', async () => {
    const visitor = await portal.visitor({ as: member });
    const { context, page } = visitor;
    await page.clock.install();
    await follow(visitor, '/numbers');
    const halted = await context.newPage();
    await halted.goto(`${portal.gateway.address}/health`);
    await halted.evaluate(`navigator.locks.query().then(({ held: [{ name }] }) => new Promise((taken) => {
      navigator.locks.request(name, { steal: true }, () => new Promise(taken)).catch(() => undefined);
    }))`);
    let streams = 0;
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === events && response.status() === 200) streams++;
    });
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return streams;
      })
      .toBeGreaterThan(0);
    await rename('By its own stream');
    await row(page, 'By its own stream').waitFor();
  });

  it('reaches each tab over its own stream where browsers have no locks, as without HTTPS', async () => {
    const { context, page } = await portal.visitor({ as: member });
    await context.addInitScript('delete Navigator.prototype.locks');
    const tabs = [page, await context.newPage()];
    const streams = tabs.map((tab) => tab.waitForResponse((response) => new URL(response.url()).pathname === events));
    await Promise.all(tabs.map((tab) => tab.goto(`${portal.gateway.address}/numbers`)));
    await Promise.all(streams);
    await rename('In both');
    await Promise.all(tabs.map((tab) => row(tab, 'In both').waitFor()));
  });

  it('gives up an attempt at the stream that gets no answer, and makes another', async () => {
    const visitor = await portal.visitor({ as: member });
    const { page } = visitor;
    visitor.expects(events);
    await page.clock.install();
    const held = Promise.withResolvers<void>();
    await page.route(`**${events}*`, () => held.resolve(), { times: 1 });
    await visitor.open('/numbers');
    await held.promise;
    const stream = page.waitForResponse((response) => new URL(response.url()).pathname === events);
    await page.clock.runFor(30_000);
    expect((await stream).status()).toBe(200);
  });

  it('shows also while the stream cannot be had, and the stream is taken up again', async () => {
    const visitor = await portal.visitor({ as: member });
    const { page } = visitor;
    visitor.expects(events);
    await page.clock.install();
    await page.route(`**${events}*`, (route) => route.abort());
    await visitor.open('/numbers');
    await row(page, 'Shop').waitFor();
    await rename('By asking');
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return row(page, 'By asking').count();
      })
      .toBe(1);

    // After many failures the page tries only every 30 s, and gives an attempt up after 20.
    let streams = 0;
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === events && response.status() === 200) streams++;
    });
    await page.unroute(`**${events}*`);
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return streams;
      })
      .toBeGreaterThan(0);
    await rename('By the stream');
    await row(page, 'By the stream').waitFor();
  });
});
