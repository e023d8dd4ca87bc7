import { describe, expect, it } from 'vitest';
import { memberOf, operator } from '../support/portal.ts';
import { usePortal } from './use-portal.ts';

/** Run in the page before its scripts: time-outs run out when the test says so. */
const timeoutsByHand = `
  globalThis.runOut = [];
  AbortSignal.timeout = () => {
    const controller = new AbortController();
    runOut.push(() => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')));
    return controller.signal;
  };
`;

describe('an answer that does not come', () => {
  const portal = usePortal();

  it('is given up in time, also where the page can take its request back', async () => {
    const { page, context, ...visitor } = await portal.visitor({ as: await operator(portal.gateway) });
    await context.addInitScript(timeoutsByHand);
    const asked = Promise.withResolvers<void>();
    // Never answered.
    await page.route('**/portal/api/operator/accounts*', () => asked.resolve());
    // With an order of its own the list is asked for by its page alone.
    const opened = visitor.open('/operator/accounts?sort=name');
    await asked.promise;
    await page.evaluate('runOut.forEach((end) => end())');
    await page.getByRole('alert').getByText('The server did not answer in time').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await opened;
  });

  it('does not hide behind what was known before: the page says since when, and asks again', async () => {
    const { gateway } = portal;
    const { accountId } = await gateway.customer();
    const { page, ...visitor } = await portal.visitor({ as: await memberOf(gateway, accountId) });
    visitor.expects('/portal/api/keys?state=in_use net::ERR_FAILED');
    // Live events stay away: the first one would have the page ask again by itself, at any time.
    await page.route('**/portal/api/events*', () => undefined);
    await page.clock.setFixedTime(new Date('2026-11-22T14:02:30Z'));
    await visitor.open('/keys');
    await page.route(/\/portal\/api\/keys(\?|$)/, (route) => route.abort());
    await page.getByRole('button', { name: /^Revoke / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();

    // The key still looks as if it worked.
    const notice = page.getByRole('status').filter({ hasText: 'could not be refreshed' });
    await notice.getByText('it shows the state at 14:02').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: /^Revoke / }).waitFor();

    await page.unroute(/\/portal\/api\/keys(\?|$)/);
    await notice.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No keys yet').waitFor();
    expect(await notice.count()).toBe(0);
  });

  it('is asked for also by a browser that calls itself offline, since the gateway may be in its own network', async () => {
    const { gateway } = portal;
    const { accountId } = await gateway.customer();
    const { page, ...visitor } = await portal.visitor({ as: await memberOf(gateway, accountId) });
    await visitor.open('/numbers');
    await page.evaluate('dispatchEvent(new Event("offline"))');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: /^Revoke / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No keys yet').waitFor();
  });
});

describe('the page of the health', () => {
  const portal = usePortal();

  it('counts a database that cannot be written as the one check that it is', async () => {
    const { page, ...visitor } = await portal.visitor({ as: await operator(portal.gateway) });
    await page.route('**/portal/api/operator/health', async (route) => {
      const response = await route.fetch();
      const { data, ...envelope } = await response.json();
      const writing = { name: 'writing', ok: false, state: 'fail', message: 'the disk is full', mend: null };
      const others = data.checks.map((check: object) => ({ ...check, ok: true, state: 'ok' }));
      const store = { ...data.store, ok: false };
      await route.fulfill({ response, json: { ...envelope, data: { ...data, store, checks: [...others.slice(0, 3), writing] } } });
    });
    await visitor.open('/operator/health');
    await page.getByText('One check fails. See below for what to do.').waitFor();
    await page.getByText('Embedded SQLite, writes fail').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
