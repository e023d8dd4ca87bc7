import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memberOf, type SignedIn } from '../support/portal.ts';
import type { Visitor } from '../support/portal-browser.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { usePortal } from './use-portal.ts';

const events = '/portal/api/events';

describe('a server that does not answer', () => {
  const portal = usePortal();
  let way: TcpProxy;
  let person: SignedIn;
  beforeAll(async () => {
    way = await startTcpProxy(Number(new URL(portal.gateway.address).port));
    person = await memberOf(portal.gateway, (await portal.gateway.customer()).accountId, 'owner');
  });
  beforeEach(() => way.mend());
  afterAll(() => way.close());

  /** Somebody whose way to the gateway can be cut; with a stream. */
  async function visitor(width = 1280): Promise<Visitor> {
    const address = `http://127.0.0.1:${way.port}`;
    const made = await portal.visitor({ as: person, address, width, height: 844 });
    made.expects('failed: ', 'console: ');
    return made;
  }
  const streamOf = ({ page }: Visitor) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === events && response.status() === 200);
  const banner = ({ page }: Visitor) => page.getByRole('status').filter({ hasText: 'The server does not answer.' });

  it('is told of at once, with the time since its last answer, until it answers again', async () => {
    const seen = await visitor(390);
    const { page } = seen;
    const stream = streamOf(seen);
    await seen.open('/numbers');
    await stream;
    // Takes part in the stream of the first.
    const second = { ...seen, page: await seen.context.newPage() };
    await second.page.goto(page.url());
    await second.page.getByRole('heading', { level: 1 }).waitFor();
    const title = page.getByRole('heading', { level: 1 });
    const before = await title.boundingBox();

    way.cut();
    await banner(seen).waitFor();
    await banner(second).waitFor();
    for (const tab of [page, second.page]) await tab.getByText(/^Last answer \d+ sec ago$/).waitFor();
    // It lies in the room above the title, which stays where it is.
    expect(await title.boundingBox()).toEqual(before);
    const box = await banner(seen).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((before?.y ?? 0) + 8);
    // Counting up.
    const told = await page.getByText(/^Last answer/).innerText();
    await page
      .getByText(/^Last answer/)
      .filter({ hasNotText: told })
      .waitFor();

    way.mend();
    for (const tab of [seen, second]) await banner(tab).waitFor({ state: 'hidden' });
  });

  it('is noticed also when its connections stay open and say nothing', async () => {
    const seen = await visitor();
    await seen.page.clock.install();
    const stream = streamOf(seen);
    await seen.open('/numbers');
    await stream;
    way.swallowAnswers();
    await expect
      .poll(async () => {
        await seen.page.clock.runFor(5_000);
        return banner(seen).count();
      })
      .toBe(1);
    way.cut();
    way.mend();
    await expect
      .poll(async () => {
        await seen.page.clock.runFor(5_000);
        return banner(seen).count();
      })
      .toBe(0);
  });

  it('is named where a page could not be loaded, which opens by itself when the server answers again', async () => {
    const seen = await visitor();
    const { page } = seen;
    await seen.open('/numbers');
    const cannot = page.getByRole('heading', { name: 'The server cannot be reached' });
    way.cut();
    // Its scripts were not needed so far.
    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await cannot.waitFor();
    expect(await page.getByText('Something in the page itself went wrong').count()).toBe(0);
    way.mend();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });

  it('is not told of when the stream comes back within two seconds', async () => {
    const seen = await visitor();
    const { page } = seen;
    await page.clock.install();
    const first = streamOf(seen);
    await seen.open('/numbers');
    await first;
    const again = streamOf(seen);
    way.cut();
    way.mend();
    await again;
    await page.clock.runFor(4_000);
    expect(await banner(seen).count()).toBe(0);
  });
});
