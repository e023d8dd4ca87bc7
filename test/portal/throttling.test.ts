import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { invite } from '../../src/people/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { type Answer, startGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

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

describe('throttling of sign-ins', () => {
  let accountId: string;
  const { gateway } = useGateway();
  beforeAll(async () => {
    accountId = (await gateway.customer()).accountId;
  });

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

describe('budgets of what is looked for', () => {
  const { gateway } = useGateway();

  it('count a look at the page of a number once, whichever servers are asked and hold the number [servers.limits-once]', async () => {
    const customer = await gateway.customer();
    const instanceId = await customer.linked();
    const person = await memberOf(gateway, customer.accountId);
    const look = () => person.call('GET', `/portal/api/numbers/${instanceId}`);
    const looks = await Promise.all(Array.from({ length: 120 }, look));
    expect(looks.filter(({ status }) => status === 200)).toHaveLength(120);
    for (let i = 0; i < 3; i++) {
      const refused = await look();
      expect(outcome(refused)).toBe('429 rate_limit_exceeded');
      expect(refused.body.error.details).toMatchObject({ scope: 'searches', limit_per_minute: 120 });
    }
  });
});

describe('budgets of sign-ins', () => {
  const clock = createManualClock();
  let accountId: string;
  const { gateway } = useGateway({ store: 'sqlite', overrides: { clock } });
  beforeEach(async () => {
    accountId = (await gateway.customer()).accountId;
  });

  it('lets nobody be locked out from one address: what it is refused costs the named person nothing [sign-in.where-first]', async () => {
    const person = await memberOf(gateway, accountId);
    const stranger = openBrowser(gateway);
    const outcomes = new Map<string, number>();
    for (let i = 0; i < 60; i++) {
      const told = outcome(await stranger.signIn(person.email, wrong));
      outcomes.set(told, (outcomes.get(told) ?? 0) + 1);
    }
    expect(Object.fromEntries(outcomes)).toEqual({ '401 sign_in_failed': 10, '429 rate_limit_exceeded': 50 });
    expectOk(await person.call('GET', '/portal/api/session'));
    const elsewhere = openBrowser(gateway);
    expect(outcome(await elsewhere.signIn(person.email, wrong))).toBe('401 sign_in_failed');
    expect(outcome(await elsewhere.signIn(person.email, person.password))).toBe('200');
  });

  it('takes what is typed for a name and nothing else: it uses up no tries of a network, on anybody or on one person', async () => {
    const person = await memberOf(gateway, accountId);
    const neighbour = openBrowser(gateway);
    for (const stranger of [openBrowser(gateway), openBrowser(gateway)]) {
      for (let i = 0; i < 8; i++) await stranger.signIn(`from ${neighbour.from}`, wrong);
      await stranger.signIn(`${person.email} from ${neighbour.from}`, wrong);
    }
    await strangersTry(person.email);
    expect(outcome(await neighbour.signIn(person.email, person.password))).toBe('200');
  });

  it('bounds what many strangers try together, and locks out neither browsers that are known nor the right password [sign-in.right-password]', async () => {
    const person = await memberOf(gateway, accountId);
    await strangersTry(person.email);
    const other = openBrowser(gateway);
    expect(outcome(await other.signIn(` ${person.email.toUpperCase()}`, wrong))).toBe('401 sign_in_failed');
    expectTooMany(await other.signIn(` ${person.email.toUpperCase()}`, person.password));
    expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('200');

    await person.signOut();
    for (let i = 0; i < 9; i++) expect(outcome(await person.signIn(person.email, wrong))).toBe('401 sign_in_failed');
    expect(outcome(await person.signIn(person.email, person.password))).toBe('200');
    // A known browser has no more than anybody: it may be stolen.
    expectTooMany(await person.signIn(person.email, person.password));
    clock.advance(60_000);
    expect(outcome(await other.signIn(person.email, person.password))).toBe('200');
  });

  it('knows a browser for the person alone who has signed in there', async () => {
    const person = await memberOf(gateway, accountId);
    const thief = await memberOf(gateway, accountId);
    await strangersTry(person.email);
    expect(outcome(await thief.signIn(person.email, wrong))).toBe('401 sign_in_failed');
    expectTooMany(await thief.signIn(person.email, wrong));
  });

  it('bounds the tries of very many networks, too', async () => {
    const person = await memberOf(gateway, accountId);
    const tried = await Promise.all(Array.from({ length: 335 }, () => openBrowser(gateway).signIn(person.email, wrong)));
    expect(tried.filter((answer) => outcome(answer) === '401 sign_in_failed').length).toBeLessThanOrEqual(330);
    expectTooMany(await openBrowser(gateway).signIn(person.email, person.password));
    expect(outcome(await person.signIn(person.email, person.password))).toBe('200');
  });

  it('counts what an invitation to somebody known lets one try', async () => {
    const person = await memberOf(gateway, accountId);
    const other = await gateway.customer();
    const place = { role: 'member', providerId: null, accountId: other.accountId } as const;
    const { token } = await invite(gateway.app.store, person.email, place, at(clock.now()));
    const attempt = (browser: Browser, password: string) => browser.call('POST', `/portal/api/links/${token}`, { body: { password } });
    const browser = openBrowser(gateway);
    for (let i = 0; i < 10; i++) expect(outcome(await attempt(browser, wrong))).toBe('401 sign_in_failed');
    expectTooMany(await attempt(browser, person.password));
    expectTooMany(await browser.signIn(person.email, person.password));
    expect(outcome(await attempt(openBrowser(gateway), person.password))).toBe('200');
  });

  it('does not let a stolen session try out the password, at all places together', async () => {
    const person = await memberOf(gateway, accountId);
    const passwords = { password: wrong, currentPassword: wrong, newPassword: 'a new password' };
    const attempt = (thief: Browser, name: string) => thief.call('POST', `/portal/auth/${name}`, { body: passwords });
    for (let i = 0; i < 5; i++)
      for (const name of ['two-factor/enable', 'change-password'])
        expect(outcome(await attempt(withCookiesOf(person), name))).toBe('400 invalid_request');
    for (const name of ['two-factor/enable', 'two-factor/disable', 'two-factor/backup-codes', 'change-password']) {
      expectTooMany(await attempt(withCookiesOf(person), name));
    }
    expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('200');
  });

  it('changing the own password shares no budget with strangers, nor with others at the same address [sign-in.own-password]', async () => {
    const [person, neighbour] = [await memberOf(gateway, accountId), await memberOf(gateway, accountId)];
    await strangersTry(person.email);
    const change = (by: Browser, currentPassword: string) =>
      by.call('POST', '/portal/auth/change-password', { body: { currentPassword, newPassword: 'a new password' } });
    const here = Object.assign(withCookiesOf(neighbour), { from: person.from });
    for (let i = 0; i < 10; i++) expect(outcome(await change(here, wrong))).toBe('400 invalid_request');
    expectTooMany(await change(here, neighbour.password));
    expect(outcome(await change(person, person.password))).toBe('200');
  });

  it('bounds what one client asks of links and codes', async () => {
    const client = openBrowser(gateway);
    for (let i = 0; i < 120; i++) expect(outcome(await client.call('GET', `/portal/api/links/guess-${i}`))).toBe('410 link_expired');
    expectTooMany(await client.call('GET', '/portal/api/links/guess'));
    expectTooMany(await client.call('POST', '/portal/auth/two-factor/verify-totp', { body: { code: '123456' } }));
    expect(outcome(await openBrowser(gateway).call('GET', '/portal/api/links/guess'))).toBe('410 link_expired');
  });

  it('bounds what the reference and the passkey dialog ask for, by client before a sign-in and the examples by person after it', async () => {
    const client = openBrowser(gateway);
    const examples = (by: Browser) => by.call('GET', '/portal/api/docs-examples');
    const extension = (by: Browser) => by.call('GET', '/portal/passkey-extension.zip');
    for (let i = 0; i < 60; i++) for (const ask of [examples, extension]) expect((await ask(client)).status).toBe(200);
    for (const ask of [examples, extension]) expectTooMany(await ask(client));
    const person = await memberOf(gateway, accountId);
    const asked = await Promise.all(Array.from({ length: 599 }, () => examples(person)));
    expect(asked.every(({ status }) => status === 200)).toBe(true);
    const refused = await examples(person);
    expect(outcome(refused)).toBe('429 rate_limit_exceeded');
    expect(refused.body.error.details).toMatchObject({ scope: 'portal', limit_per_minute: 600 });
  });

  it('gives a person 600 requests a minute at the endpoints of the portal', async () => {
    const person = await memberOf(gateway, accountId);
    const asked = await Promise.all(Array.from({ length: 599 }, () => person.call('GET', '/portal/api/session')));
    expect(asked.every(({ status }) => status === 200)).toBe(true);
    const refused = await person.call('GET', '/portal/api/session');
    expect(outcome(refused)).toBe('429 rate_limit_exceeded');
    expect(refused.body.error.details).toMatchObject({ scope: 'portal', limit_per_minute: 600 });
    expect(outcome(await (await memberOf(gateway, accountId)).call('GET', '/portal/api/session'))).toBe('200');
  });

  it('counts what a person asks in all sessions together [portal.budgets]', async () => {
    const person = await memberOf(gateway, accountId);
    const browsers = [person, await elsewhere(person), await elsewhere(person)];
    const asked = await Promise.all(
      Array.from({ length: 598 }, (_, i) => browsers[i % 3]?.call('GET', '/portal/api/session', { account: accountId })),
    );
    expect(asked.map((answer) => answer?.status).filter((status) => status === 200)).toHaveLength(598);
    await person.call('GET', '/portal/api/session');
    for (const browser of browsers) expect(outcome(await browser.call('GET', '/portal/api/session'))).toBe('429 rate_limit_exceeded');
  });

  it('counts the requests of a person to the API in all sessions together', async () => {
    const person = await memberOf(gateway, accountId);
    const second = await elsewhere(person);
    for (let i = 0; i < 60; i++) for (const browser of [person, second]) await browser.call('GET', '/v1/instances');
    for (const browser of [person, second]) expect(outcome(await browser.call('GET', '/v1/instances'))).toBe('429 rate_limit_exceeded');
    // At another account they are asked for anew, as another key would be.
    const other = await gateway.customer();
    const boss = Object.assign(await operator(gateway), { account: other.accountId });
    expect(outcome(await boss.call('GET', '/v1/instances'))).toBe('200');
  });

  it('gives a person twenty mails or links a minute in all sessions together, and an account sixty by all its people [portal.budgets]', async () => {
    const customer = await gateway.customer();
    const invite = async (by: Browser) => {
      const answer = await by.call('POST', '/portal/api/members', { body: { email: `guest-${guests++}@example.com`, role: 'member' } });
      if (answer.status === 200) gateway.secrets.add('the token of a link', answer.body.data.link.split('/').at(-1));
      return answer;
    };
    let guests = 0;
    const owners = await Promise.all([1, 2, 3, 4].map(() => memberOf(gateway, customer.accountId, 'owner')));
    const [first, second, third, fourth] = owners;
    if (first === undefined || second === undefined || third === undefined || fourth === undefined) throw new Error('four were made');
    const elsewhereToo = await elsewhere(first);
    for (let i = 0; i < 10; i++) for (const browser of [first, elsewhereToo]) expect(outcome(await invite(browser))).toBe('200');
    for (const browser of [first, elsewhereToo]) {
      const refused = await invite(browser);
      expect(outcome(refused)).toBe('429 rate_limit_exceeded');
      expect(refused.body.error.details).toMatchObject({ scope: 'mails', limit_per_minute: 20 });
    }
    for (const browser of [second, third]) for (let i = 0; i < 20; i++) expect(outcome(await invite(browser))).toBe('200');
    const refused = await invite(fourth);
    expect(outcome(refused)).toBe('429 rate_limit_exceeded');
    expect(refused.body.error.details).toMatchObject({ scope: 'mails', limit_per_minute: 60 });
  });

  it('gives a person 120 searches of the activity a minute, and leaves its newest page out of it', async () => {
    const person = await memberOf(gateway, accountId);
    const second = await elsewhere(person);
    const search = (browser: Browser) => browser.call('GET', '/portal/api/activity?recipient=491701234567', { account: accountId });
    const asked = await Promise.all(Array.from({ length: 120 }, (_, i) => search(i % 2 === 0 ? person : second)));
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(120);
    const refused = await search(second);
    expect(outcome(refused)).toBe('429 rate_limit_exceeded');
    expect(refused.body.error.details).toMatchObject({ scope: 'searches', limit_per_minute: 120 });
    expect(outcome(await person.call('GET', '/portal/api/activity'))).toBe('200');
    const others = await Promise.all([1, 2].map(() => memberOf(gateway, accountId)));
    const more = await Promise.all(Array.from({ length: 182 }, (_, i) => search(others[i % 2] ?? person)));
    // The account has 300.
    expect(more.filter(({ status }) => status === 200)).toHaveLength(180);
  });

  it('is not stretched by a clock that is set back', async () => {
    const person = await memberOf(gateway, accountId);
    const client = openBrowser(gateway);
    for (let i = 0; i < 10; i++) expect(outcome(await client.signIn(`person-${i}@example.com`, wrong))).toBe('401 sign_in_failed');
    const real = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: real - 60 * 60_000 });
    try {
      clock.setCalendar(-60 * 60_000);
      expectTooMany(await client.signIn(person.email, person.password));
      clock.advance(60_000);
      expect(outcome(await client.signIn(person.email, person.password))).toBe('200');
    } finally {
      vi.useRealTimers();
      clock.setCalendar(60 * 60_000);
    }
  });

  /** Strangers from four networks use up what is shared by all who name this person. */
  async function strangersTry(email: string): Promise<void> {
    const strangers = [1, 2, 3, 4].map(() => openBrowser(gateway));
    const answers: Answer[] = [];
    for (let i = 0; i < 10; i++) for (const stranger of strangers) answers.push(await stranger.signIn(email, wrong));
    expect(answers.filter((answer) => outcome(answer) === '401 sign_in_failed')).toHaveLength(34);
  }

  async function elsewhere(person: SignedIn): Promise<Browser> {
    const browser = openBrowser(gateway);
    expectOk(await browser.signIn(person.email, person.password));
    return Object.assign(browser, { account: person.account });
  }

  function withCookiesOf(person: SignedIn): Browser {
    const browser = openBrowser(gateway);
    for (const [name, value] of person.cookies) browser.cookies.set(name, value);
    return browser;
  }
});

it('believes the proxies it was told to trust, and nobody who speaks through them', async () => {
  const gateway = await startGateway('sqlite', { env: { TRUST_PROXY: '127.0.0.0/8' } });
  try {
    const attempt = (forwarded: string, email = 'somebody@example.com') =>
      openBrowser(gateway).call('POST', '/portal/auth/sign-in', {
        body: { email, password: wrong },
        headers: { 'x-forwarded-for': forwarded },
      });
    // What the client itself wrote stands to the left of what the proxy added.
    for (let i = 0; i < 10; i++) expect(outcome(await attempt(`203.0.113.${i}, 198.51.100.7`))).toBe('401 sign_in_failed');
    expectTooMany(await attempt('203.0.113.99, 198.51.100.7'));
    expect(outcome(await attempt('198.51.100.8'))).toBe('401 sign_in_failed');
    // One client of IPv6 has a network of addresses.
    for (let i = 0; i < 10; i++) expect(outcome(await attempt(`2001:db8:0:7::${i}`))).toBe('401 sign_in_failed');
    expectTooMany(await attempt('2001:db8:0:7:a::99'));
    expect(outcome(await attempt('2001:db8:0:8::1'))).toBe('401 sign_in_failed');
    // Some proxies add the client's port.
    for (const client of ['198.51.100.9', '[2001:db8:0:9::1]']) {
      for (let i = 0; i < 10; i++) expect(outcome(await attempt(`${client}:${50_000 + i}`, `${i}@example.com`))).toBe('401 sign_in_failed');
      expectTooMany(await attempt(client));
    }
    const person = await memberOf(gateway, (await gateway.customer()).accountId);
    expectOk(await person.call('GET', '/portal/api/session'));
  } finally {
    await gateway.stop();
  }
});
