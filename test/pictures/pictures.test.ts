import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { utcDay } from '../../src/core/index.ts';
import { launchChromium } from '../support/chromium.ts';
import type { TestGateway } from '../support/gateway.ts';
import { settled, type VisitorOptions } from '../support/portal-browser.ts';
import type { Bakery } from '../web/bakery.ts';
import { startBakeryPortal } from '../web/bakery-portal.ts';
import { dialogs } from '../web/dialogs.ts';

// Makes docs/portal/*.png: the portal's pages as they look with a bakery that uses everything. `npm run screenshots`; no part of `npm test`.

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly as: 'owner' | 'operator' | 'newcomer' | null;
  readonly options?: VisitorOptions;
  /** Signs in on the page, so that the browser is known by its name. */
  readonly byForm?: true;
  /** What is done on the page before. */
  before?(page: Page, password: string): Promise<void>;
}

const dark: VisitorOptions = { colorScheme: 'dark' };
const phone: VisitorOptions = { width: 390, height: 780 };
const folder = join(import.meta.dirname, '../../docs/portal');

function pictures(bakery: Bakery): readonly Picture[] {
  const { customer, owner, contact, requestId, refusedRequestId, linkToken, unlinkedId, keyId, providerId, invitationId } = bakery;
  const open = (name: string) => {
    const found = dialogs.find((dialog) => dialog.name === name);
    if (found === undefined) throw new Error(`there is no dialog ${name}`);
    return { path: found.path, as: found.who, before: found.open };
  };
  return [
    { name: 'sign-in', path: '/sign-in', as: null },
    { name: 'invitation', path: `/link/${linkToken}`, as: null },
    { name: 'first-steps', path: '/', as: 'newcomer' },
    { name: 'home', path: '/', as: 'owner' },
    { name: 'operator-home', path: '/', as: 'operator' },
    { name: 'operator-home-phone-dark', path: '/', as: 'operator', options: { ...phone, ...dark } },
    { name: 'numbers', path: '/numbers', as: 'owner' },
    { name: 'numbers-dark', path: '/numbers', as: 'owner', options: dark },
    { name: 'numbers-phone', path: '/numbers', as: 'owner', options: phone },
    { name: 'number', path: `/numbers/${unlinkedId}`, as: 'owner' },
    { name: 'keys', path: '/keys', as: 'owner' },
    { name: 'key', path: `/keys/${keyId}`, as: 'owner' },
    { name: 'send', path: '/send?kind=poll', as: 'owner', before: sendPoll },
    { name: 'send-phone-dark', path: '/send?kind=poll', as: 'owner', options: { ...phone, ...dark } },
    { name: 'activity', path: '/activity', as: 'owner' },
    { name: 'request', path: `/activity/${requestId}`, as: 'owner' },
    { name: 'request-refused', path: `/activity/${refusedRequestId}`, as: 'owner' },
    { name: 'usage', path: '/usage', as: 'owner' },
    { name: 'usage-dark', path: '/usage', as: 'owner', options: dark },
    { name: 'sandbox-phone', path: `/sandbox-phone?with=${contact}`, as: 'owner', before: toPoll },
    { name: 'sandbox-phone-dark', path: `/sandbox-phone?with=${contact}`, as: 'owner', options: dark },
    { name: 'sandbox-phone-phone', path: `/sandbox-phone?with=${contact}`, as: 'owner', options: phone },
    { name: 'account', path: '/account', as: 'owner' },
    { name: 'account-members', path: '/account?part=members', as: 'owner' },
    { name: 'account-sign-in', path: '/account?part=sign-in', as: 'owner', byForm: true },
    { name: 'account-audit-log', path: '/account?part=changes', as: 'owner' },
    // Last of its account: it begins a pairing that other pages would show.
    { name: 'pairing', ...open('pairing') },
    { name: 'operator-accounts', path: '/operator/accounts', as: 'operator' },
    { name: 'operator-account', path: `/operator/accounts/${customer.accountId}`, as: 'operator' },
    { name: 'operator-providers', path: '/operator/providers', as: 'operator' },
    { name: 'operator-provider', path: `/operator/providers/${providerId}`, as: 'operator' },
    { name: 'operator-plans', path: '/operator/plans', as: 'operator' },
    { name: 'operator-people', path: '/operator/users', as: 'operator' },
    { name: 'operator-person', path: `/operator/users/${owner.userId}`, as: 'operator' },
    { name: 'operator-invitation', path: `/operator/users/invitations/${invitationId}`, as: 'operator', options: dark },
    { name: 'operator-numbers', path: '/operator/numbers', as: 'operator' },
    { name: 'operator-health', path: '/operator/health', as: 'operator' },
    { name: 'operator-audit-log', path: '/operator/audit', as: 'operator', options: dark },
  ];
}

async function sendPoll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Fill with an example' }).click();
  await page.getByRole('menuitem').first().click();
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('+15550167');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('Sent', { exact: true }).waitFor();
}

async function toPoll(page: Page): Promise<void> {
  await page.getByRole('log').locator('article[data-type="location"]').scrollIntoViewIfNeeded();
}

/** Usage of the days before today, as it would have grown. */
async function growUsage({ app: { store }, clock }: TestGateway, accountId: string): Promise<void> {
  const shares = { text: 46, image: 14, document: 9, buttons: 7, poll: 4, audio: 3 };
  for (let ago = 29; ago > 0; ago--) {
    const day = utcDay(clock.now() - ago * 86_400_000);
    // Quiet at the end of the week, busier with time; never the same twice.
    const share = (new Date(day).getUTCDay() % 6 === 0 ? 0.35 : 1) * (1.4 - ago / 40) * (0.85 + ((ago * 7) % 5) / 15);
    const sends = Object.entries(shares).map(([type, count]) => ({ account_id: accountId, day, type, count: Math.round(count * share) }));
    await store.db.insertInto('usage_sends').values(sends).execute();
    for (const phoneNumber of ['15550101', '15550102']) await store.hot.seeNumber({ accountId, phoneNumber, day });
  }
}

/** Sends of the hours before this one, and of the week before: more by day than by night, and a disturbance. */
async function growHours({ app: { store }, clock }: TestGateway, accountId: string): Promise<void> {
  const now = Math.floor(clock.now() / 3_600_000);
  const rows = Array.from({ length: 23 + 24 }, (_, place) => {
    const week = place >= 23;
    const ago = week ? place - 23 + 7 * 24 : place + 1;
    const hour = now - ago;
    const busy = 30 + 90 * Math.max(0, Math.sin((((hour % 24) - 5) / 24) * 2 * Math.PI)) + ((ago * 7) % 5) * 4;
    const counts = {
      '': Math.round(busy * (week ? 0.85 : 1)),
      rate_limit_exceeded: week ? 0 : (ago * 3) % 7,
      upstream_unavailable: ago === 4 ? 21 : 0,
    };
    return Object.entries(counts).map(([code, count]) => ({ hour, account_id: accountId, code, count }));
  });
  await store.db.insertInto('send_outcomes').values(rows.flat()).execute();
}

it('the pictures of the pages', { timeout: 900_000 }, async () => {
  const { portal, bakery, stop } = await startBakeryPortal({ openBrowser: launchChromium });
  const troubles: string[] = [];
  try {
    await growUsage(portal.gateway, bakery.customer.accountId);
    await growHours(portal.gateway, bakery.customer.accountId);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { name, path, as, options, byForm = false, before } of pictures(bakery)) {
      const person = as === null ? null : bakery[as];
      const visitor = await portal.visitor({ height: 860, ...options, ...(person === null || byForm ? {} : { as: person }) });
      if (person !== null && byForm) {
        await visitor.signIn(person);
        await visitor.page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor();
      }
      await visitor.open(path);
      await before?.(visitor.page, person?.password ?? '');
      await settled(visitor.page);
      // A palette: pages have few colours, and the pictures stay in the repository.
      await sharp(await visitor.page.screenshot())
        .png({ palette: true, colours: 96, effort: 10, compressionLevel: 9 })
        .toFile(join(folder, `${name}.png`));
      troubles.push(...(await portal.leave()).map((trouble) => `${name}: ${trouble}`));
    }
  } finally {
    await stop();
  }
  expect(troubles).toEqual([]);
});
