import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invite } from '../../src/accounts/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, openBrowser, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';

const wrong = 'not the password';

/** A refusal that says when to come back, in its details as well as in its header. */
function expectTooMany(answer: Answer): void {
  expect(outcome(answer)).toBe('429 rate_limit_exceeded');
  const { details, message } = answer.body.error;
  expect(details).toMatchObject({ scope: 'sign_in', retry_after_seconds: expect.any(Number) });
  expect(details.retry_after_seconds).toBeGreaterThan(0);
  expect(details.retry_after_seconds).toBeLessThanOrEqual(60);
  expect(answer.headers.get('retry-after')).toBe(String(details.retry_after_seconds));
  expect(message).toBe(`Too many attempts; try again in ${details.retry_after_seconds} s.`);
}

describe.each(storeKinds)('throttling of sign-ins on %s', (kind) => {
  let gateway: TestGateway;
  let accountId: string;
  beforeAll(async () => {
    gateway = await startGateway(kind);
    accountId = (await gateway.customer()).accountId;
  });
  afterAll(() => gateway.stop());

  it('gives one client ten attempts a minute, on whomever, and then not even the right password', async () => {
    const person = await memberOf(gateway, accountId);
    const client = openBrowser(gateway);
    for (let i = 0; i < 10; i++) expect(outcome(await client.signIn(`person-${i}@example.com`, wrong))).toBe('401 sign_in_failed');
    expectTooMany(await client.signIn(person.email, person.password));
    expect(client.cookies.size).toBe(0);
    expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('200');
  });

  it('is not fooled by headers that name another client', async () => {
    const client = openBrowser(gateway);
    const claims = (i: number) => ({
      'x-forwarded-for': `203.0.113.${i}`,
      'x-real-ip': `203.0.113.${i}`,
      'x-client-ip': `203.0.113.${i}`,
      'cf-connecting-ip': `203.0.113.${i}`,
      'x-gateway-client-address': `203.0.113.${i}`,
      forwarded: `for=203.0.113.${i}`,
    });
    const attempt = (i: number) =>
      client.call('POST', '/portal/auth/sign-in', { body: { email: `somebody-${i}@example.com`, password: wrong }, headers: claims(i) });
    for (let i = 0; i < 10; i++) expect(outcome(await attempt(i))).toBe('401 sign_in_failed');
    expectTooMany(await attempt(10));
  });
});

describe('budgets of sign-ins', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let accountId: string;
  beforeAll(async () => {
    gateway = await startGateway('sqlite', { overrides: { clock } });
    accountId = (await gateway.customer()).accountId;
  });
  afterAll(() => gateway.stop());

  it('gives everybody together thirty attempts a minute on one address', async () => {
    const person = await memberOf(gateway, accountId);
    for (let client = 0; client < 3; client++) {
      const browser = openBrowser(gateway);
      for (let i = 0; i < 10; i++) expect(outcome(await browser.signIn(person.email, wrong))).toBe('401 sign_in_failed');
    }
    expectTooMany(await openBrowser(gateway).signIn(person.email, person.password));
    expectTooMany(await openBrowser(gateway).signIn(` ${person.email.toUpperCase()}`, person.password));
    clock.advance(60_000);
    expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('200');
  });

  it('counts what an invitation to somebody known lets one try', async () => {
    const person = await memberOf(gateway, accountId);
    const other = await gateway.customer();
    const place = { role: 'member', providerId: null, accountId: other.accountId } as const;
    const { token } = await invite(gateway.app.store, person.email, place, at(clock.now()));
    const attempt = (browser: Browser, password: string) => browser.call('POST', `/portal/api/links/${token}`, { body: { password } });
    for (let client = 0; client < 3; client++) {
      const browser = openBrowser(gateway);
      for (let i = 0; i < 10; i++) expect(outcome(await attempt(browser, wrong))).toBe('401 sign_in_failed');
    }
    expectTooMany(await attempt(openBrowser(gateway), person.password));
    expectTooMany(await openBrowser(gateway).signIn(person.email, person.password));
  });

  it('does not let a stolen session try out the password, at all places together', async () => {
    const person = await memberOf(gateway, accountId);
    const passwords = { password: wrong, currentPassword: wrong, newPassword: 'a new password' };
    const attempt = (thief: Browser, name: string) => thief.call('POST', `/portal/auth/${name}`, { body: passwords });
    for (const name of ['two-factor/enable', 'two-factor/disable', 'change-password']) {
      const thief = withCookiesOf(person);
      for (let i = 0; i < 10; i++) expect(outcome(await attempt(thief, name))).toBe('400 invalid_request');
    }
    for (const name of ['two-factor/enable', 'two-factor/disable', 'two-factor/backup-codes', 'change-password']) {
      expectTooMany(await attempt(withCookiesOf(person), name));
    }
    expectTooMany(await openBrowser(gateway).signIn(person.email, person.password));
  });

  it('bounds what one client asks of links and codes', async () => {
    const client = openBrowser(gateway);
    for (let i = 0; i < 120; i++) expect(outcome(await client.call('GET', `/portal/api/links/guess-${i}`))).toBe('410 link_expired');
    expectTooMany(await client.call('GET', '/portal/api/links/guess'));
    expectTooMany(await client.call('POST', '/portal/auth/two-factor/verify-totp', { body: { code: '123456' } }));
    expect(outcome(await openBrowser(gateway).call('GET', '/portal/api/links/guess'))).toBe('410 link_expired');
  });

  it('gives a session 600 requests a minute at the endpoints of the portal', async () => {
    const person = await memberOf(gateway, accountId);
    const asked = await Promise.all(Array.from({ length: 599 }, () => person.call('GET', '/portal/api/session')));
    expect(asked.every(({ status }) => status === 200)).toBe(true);
    const refused = await person.call('GET', '/portal/api/session');
    expect(outcome(refused)).toBe('429 rate_limit_exceeded');
    expect(refused.body.error.details).toMatchObject({ scope: 'portal', limit_per_minute: 600 });
    expect(outcome(await (await memberOf(gateway, accountId)).call('GET', '/portal/api/session'))).toBe('200');
  });

  function withCookiesOf(person: SignedIn): Browser {
    const browser = openBrowser(gateway);
    for (const [name, value] of person.cookies) browser.cookies.set(name, value);
    return browser;
  }
});

it('believes the proxies it was told to trust, and nobody who speaks through them', async () => {
  const gateway = await startGateway('sqlite', { env: { TRUST_PROXY: '127.0.0.0/8' } });
  try {
    const attempt = (forwarded: string) =>
      openBrowser(gateway).call('POST', '/portal/auth/sign-in', {
        body: { email: 'somebody@example.com', password: wrong },
        headers: { 'x-forwarded-for': forwarded },
      });
    // What the client itself wrote stands to the left of what the proxy added.
    for (let i = 0; i < 10; i++) expect(outcome(await attempt(`203.0.113.${i}, 198.51.100.7`))).toBe('401 sign_in_failed');
    expectTooMany(await attempt('203.0.113.99, 198.51.100.7'));
    expect(outcome(await attempt('198.51.100.8'))).toBe('401 sign_in_failed');
    const person = await memberOf(gateway, (await gateway.customer()).accountId);
    expectOk(await person.call('GET', '/portal/api/session'));
  } finally {
    await gateway.stop();
  }
});
