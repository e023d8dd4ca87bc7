import { beforeEach, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import type { Answer } from '../support/gateway.ts';
import { type Browser, expectOk, memberOf, openBrowser, type SignedIn } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { authenticator, totpCode, wrongCode } from '../support/totp.ts';
import { useGateway } from '../support/use-gateway.ts';

const told = (answer: Answer): string => (answer.status === 200 ? '200' : `${outcome(answer)}: ${answer.body.error.message}`);

describe.each(storeKinds)('two-factor on %s', (kind) => {
  let person: SignedIn;
  const { gateway, customer } = useGateway({ store: kind });
  beforeEach(async () => {
    person = await memberOf(gateway, customer.accountId);
  });

  const post = (browser: Browser, name: string, body: object) => browser.call('POST', `/portal/auth/two-factor/${name}`, { body });
  const session = async (browser: Browser) => outcome(await browser.call('GET', '/portal/api/session'));
  const isOn = async (browser: Browser): Promise<boolean> =>
    expectOk(await browser.call('GET', '/portal/api/session')).body.data.user.two_factor;
  const enable = async (): Promise<{ uri: string; codes: string[] }> => {
    const { data } = expectOk(await post(person, 'enable', { password: person.password })).body;
    return { uri: data.totp_uri, codes: data.backup_codes };
  };
  const turnOn = async () => {
    const enabled = await enable();
    const nextCode = authenticator(enabled.uri);
    expectOk(await post(person, 'verify-totp', { code: nextCode() }));
    return { ...enabled, nextCode };
  };
  /** A browser whose password was right, and which is asked for a code now. */
  const atTheCode = async (): Promise<Browser> => {
    const browser = openBrowser(gateway);
    expect((await browser.signIn(person.email, person.password)).body.data).toEqual({ two_factor: true });
    return browser;
  };

  /** How many of the person's sign-ins wait for a code. */
  const challenges = async (): Promise<number> => {
    const waiting = gateway.app.store.db.selectFrom('user_verifications').select('id').where('value', '=', person.userId);
    return (await waiting.where('identifier', 'like', '2fa-%').execute()).length;
  };

  it('is on only after a right code', async () => {
    expect(told(await post(person, 'enable', { password: 'not the password' }))).toBe('400 invalid_request: The password is wrong.');
    const { uri, codes } = await enable();
    expect(uri).toMatch(/^otpauth:\/\/totp\/Messaging%20Gateway:/);
    expect(codes).toHaveLength(10);
    expect(await isOn(person)).toBe(false);
    expect((await openBrowser(gateway).signIn(person.email, person.password)).body.data).toEqual({ two_factor: false });
    expect(told(await post(person, 'verify-totp', { code: wrongCode(uri) }))).toBe(
      '401 sign_in_failed: The code is wrong. Use the latest one from the app.',
    );
    expect(await isOn(person)).toBe(false);

    const before = openBrowser(gateway);
    for (const [name, value] of person.cookies) before.cookies.set(name, value);
    expect(told(await post(person, 'verify-totp', { code: totpCode(uri) }))).toBe('200');
    expect(await isOn(person)).toBe(true);
    expect(await session(before)).toBe('401 invalid_session');
    expect(told(await post(person, 'enable', { password: person.password }))).toBe(
      '409 conflict: Two-factor sign-in is already turned on.',
    );
  });

  it('gives no session for a password alone, neither to the portal nor to the API', async () => {
    await turnOn();
    const browser = await atTheCode();
    expect([...browser.cookies.keys()]).toEqual(['gateway.two_factor']);
    expect(await session(browser)).toBe('401 missing_session');
    expect(outcome(await browser.call('GET', '/v1/instances'))).toBe('401 missing_session');
    expect(outcome(await browser.call('POST', '/portal/auth/two-factor/disable', { body: { password: person.password } }))).toBe(
      '401 missing_session',
    );
    const tried = openBrowser(gateway);
    tried.cookies.set('gateway.session_token', browser.cookies.get('gateway.two_factor') ?? '');
    expect(await session(tried)).toBe('401 invalid_session');
  });

  it('lets in with the right code, once for each challenge', async () => {
    const { uri, nextCode } = await turnOn();
    const browser = await atTheCode();
    const copy = openBrowser(gateway);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    expect(told(await post(browser, 'verify-totp', { code: wrongCode(uri) }))).toMatch(/^401 sign_in_failed: The code is wrong/);
    expect(await session(browser)).toBe('401 missing_session');
    expect(told(await post(browser, 'verify-totp', { code: nextCode() }))).toBe('200');
    expect(await session(browser)).toBe('200');
    expect(told(await post(copy, 'verify-totp', { code: totpCode(uri) }))).toBe(
      '401 sign_in_failed: The time to enter the code is over. Start again with your password.',
    );
    expect(told(await post(openBrowser(gateway), 'verify-totp', { code: totpCode(uri) }))).toMatch(/^401 sign_in_failed: The time/);
  });

  it('ends a challenge after five wrong codes', async () => {
    const { uri } = await turnOn();
    const browser = await atTheCode();
    for (let i = 0; i < 5; i++) {
      expect(told(await post(browser, 'verify-totp', { code: wrongCode(uri) }))).toMatch(/^401 sign_in_failed: The code is wrong/);
    }
    expect(told(await post(browser, 'verify-totp', { code: totpCode(uri) }))).toBe(
      '401 sign_in_failed: Too many wrong codes. Start again with your password.',
    );
  });

  it('lets nobody try after ten wrong codes in a row, whatever client they come from, for 15 minutes', async () => {
    const { uri, codes } = await turnOn();
    for (let i = 0; i < 10; i++) {
      expect(outcome(await post(await atTheCode(), 'verify-totp', { code: wrongCode(uri) }))).toBe('401 sign_in_failed');
    }
    const isLocked = async (name: string, code: string | undefined, minutes: number, seconds: number) => {
      const locked = await post(await atTheCode(), name, { code });
      expect(told(locked)).toBe(`429 rate_limit_exceeded: Too many attempts; try again in ${minutes} minutes.`);
      const left = Number(locked.headers.get('retry-after'));
      expect(left).toBeLessThanOrEqual(seconds);
      expect(left).toBeGreaterThan(seconds - 60);
    };
    await isLocked('verify-totp', totpCode(uri), 15, 900);
    const locked_until = new Date(Date.now() + 180_000).toISOString();
    const { db } = gateway.app.store;
    await db.updateTable('user_two_factors').set({ locked_until }).where('user_id', '=', person.userId).execute();
    await isLocked('verify-backup-code', codes[0], 3, 180);
    expect(await session(person)).toBe('200');
  });

  it('ends a challenge when the password is changed, and nobody else’s', async () => {
    const { nextCode } = await turnOn();
    const browser = await atTheCode();
    const changed = { currentPassword: person.password, newPassword: `${person.password} changed` };
    gateway.secrets.add('a new password', changed.newPassword);
    const other = await memberOf(gateway, customer.accountId);
    expectOk(await other.call('POST', '/portal/auth/change-password', { body: { ...changed, currentPassword: other.password } }));
    expect(await challenges()).toBe(1);
    expectOk(await person.call('POST', '/portal/auth/change-password', { body: changed }));
    expect(await challenges()).toBe(0);
    expect(told(await post(browser, 'verify-totp', { code: nextCode() }))).toMatch(
      /^401 sign_in_failed: The time to enter the code is over/,
    );
    expect(await session(browser)).toBe('401 missing_session');
  });

  it('takes each backup code once, and none after new ones were made', async () => {
    const { codes } = await turnOn();
    const [first = '', second = ''] = codes;
    const browser = await atTheCode();
    expect(told(await post(browser, 'verify-backup-code', { code: 'aaaaa-aaaaa' }))).toBe(
      '401 sign_in_failed: The backup code is wrong or has already been used.',
    );
    expect(told(await post(browser, 'verify-backup-code', { code: first }))).toBe('200');
    expect(await session(browser)).toBe('200');
    expect(told(await post(await atTheCode(), 'verify-backup-code', { code: first }))).toMatch(/^401 sign_in_failed: The backup code/);

    expect(told(await post(person, 'backup-codes', { password: 'not the password' }))).toBe('400 invalid_request: The password is wrong.');
    const renewed = expectOk(await post(person, 'backup-codes', { password: person.password })).body.data.backup_codes;
    expect(renewed).toHaveLength(10);
    expect(renewed).not.toContain(second);
    expect(told(await post(await atTheCode(), 'verify-backup-code', { code: second }))).toMatch(/^401 sign_in_failed: The backup code/);
    expect(told(await post(await atTheCode(), 'verify-backup-code', { code: renewed[0] }))).toBe('200');
  });

  it('spends a backup code once when two use it at the same time', async () => {
    const { codes } = await turnOn();
    const both = [await atTheCode(), await atTheCode()];
    const answers = await Promise.all(both.map((browser) => post(browser, 'verify-backup-code', { code: codes[0] ?? '' })));
    expect(answers.map(outcome).sort()).toEqual(['200', expect.stringMatching(/^(401 sign_in_failed|409 conflict)$/)]);
    expect((await Promise.all(both.map(session))).sort()).toEqual(['200', '401 missing_session']);
    // It is spent, and the others are not.
    expect(told(await post(await atTheCode(), 'verify-backup-code', { code: codes[0] ?? '' }))).toMatch(
      /^401 sign_in_failed: The backup code/,
    );
    expect(told(await post(await atTheCode(), 'verify-backup-code', { code: codes[1] ?? '' }))).toBe('200');
  });

  it('is turned off with the password', async () => {
    const { uri } = await turnOn();
    expect(told(await post(person, 'disable', { password: 'not the password' }))).toBe('400 invalid_request: The password is wrong.');
    expect(await isOn(person)).toBe(true);
    expect(told(await post(person, 'disable', { password: person.password }))).toBe('200');
    expect(await isOn(person)).toBe(false);
    expect((await openBrowser(gateway).signIn(person.email, person.password)).body.data).toEqual({ two_factor: false });
    expect(told(await post(person, 'backup-codes', { password: person.password }))).toBe(
      '409 conflict: Two-factor sign-in is not turned on.',
    );
    const again = await turnOn();
    expect(again.uri).not.toBe(uri);
  });

  it('takes a code once, whoever shows it a second time and whenever, also after a restart', async () => {
    const { nextCode, codes } = await turnOn();
    const code = nextCode();
    const [browser, thief, late] = [await atTheCode(), await atTheCode(), await atTheCode()];
    expect(told(await post(browser, 'verify-totp', { code }))).toBe('200');
    const used = "401 sign_in_failed: This code has already been used. Start again with your password, and wait for the app's next code.";
    expect(told(await post(thief, 'verify-totp', { code }))).toBe(used);
    expect(await session(thief)).toBe('401 missing_session');
    await gateway.restart();
    expect(told(await post(late, 'verify-totp', { code }))).toBe(used);
    expect(await session(late)).toBe('401 missing_session');
    expect(told(await post(await atTheCode(), 'verify-backup-code', { code: codes[0] ?? '' }))).toBe('200');
  });

  it('takes a code once when two show it at the same time', async () => {
    const { nextCode } = await turnOn();
    const code = nextCode();
    const both = [await atTheCode(), await atTheCode()];
    const answers = await Promise.all(both.map((browser) => post(browser, 'verify-totp', { code })));
    expect(answers.map(outcome).sort()).toEqual(['200', '401 sign_in_failed']);
    expect((await Promise.all(both.map(session))).sort()).toEqual(['200', '401 missing_session']);
  });

  it('does not take the code that turned it on for a sign-in', async () => {
    const { uri } = await enable();
    const code = totpCode(uri);
    expectOk(await post(person, 'verify-totp', { code }));
    expect(told(await post(await atTheCode(), 'verify-totp', { code }))).toMatch(/^401 sign_in_failed: This code has already been used/);
  });

  it('trusts no browser to come back without a code, also when it asks for that', async () => {
    const { codes, nextCode } = await turnOn();
    for (const [name, code] of [
      ['verify-totp', nextCode()],
      ['verify-backup-code', codes[0]],
    ] as const) {
      const browser = await atTheCode();
      const answer = expectOk(await post(browser, name, { code, trustDevice: true }));
      expect(answer.headers.getSetCookie().join()).not.toContain('trust');
      expect([...browser.cookies.keys()]).toEqual(['gateway.session_token', 'gateway.known_browser']);
      await browser.signOut();
      expect((await browser.signIn(person.email, person.password)).body.data).toEqual({ two_factor: true });
    }
  });
});
