import { beforeAll, describe, expect, it, vi } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import type { Answer } from '../support/gateway.ts';
import { type Browser, expectOk, memberOf, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { makeStoreUnavailable, makeUnreadable, refuseRows } from '../support/refused-writes.ts';
import { anyStore } from '../support/run-options.ts';
import { useGateway } from '../support/use-gateway.ts';

const cookieName = 'gateway.session_token';
const message = (answer: Answer): string => answer.body.error.message;

describe('signing in', () => {
  let person: SignedIn;
  const { gateway, customer } = useGateway({ overrides: { passwords: undefined } });
  beforeAll(async () => {
    person = await memberOf(gateway, customer.accountId);
  });

  const session = async (browser: Browser) => outcome(await browser.call('GET', '/portal/api/session'));
  /** A browser with the same cookies, as somebody who got hold of them would have. */
  const copyOf = (browser: Browser): Browser => {
    const copy = openBrowser(gateway);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    return copy;
  };
  const sessionRows = () => gateway.app.store.db.selectFrom('user_sessions').selectAll().where('user_id', '=', person.userId);

  it('lets somebody in with address and password, however the address is written', async () => {
    for (const email of [person.email, person.email.toUpperCase(), ` ${person.email} `]) {
      const browser = openBrowser(gateway);
      const answer = await browser.signIn(email, person.password);
      expect(answer.body.data).toEqual({ two_factor: false });
      expect(await session(browser)).toBe('200');
    }
  });

  it('says the same about a wrong password and an unknown address', async () => {
    const wrong = await openBrowser(gateway).signIn(person.email, 'not the password');
    const unknown = await openBrowser(gateway).signIn('nobody@example.com', 'not the password');
    expect(outcome(wrong)).toBe('401 sign_in_failed');
    expect(message(wrong)).toBe('The e-mail address or the password is wrong.');
    expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const noAddress = await openBrowser(gateway).signIn('nobody', 'not the password');
    expect([outcome(noAddress), message(noAddress)]).toEqual(['400 invalid_request', 'That is not an e-mail address.']);
  });

  it.each([
    {},
    { email: 'a@example.com' },
    { email: 'a@example.com', password: '' },
    { email: 'a@example.com', password: 'x'.repeat(129) },
    { email: `${'a'.repeat(250)}@example.com`, password: 'x' },
    { email: ['a@example.com'], password: 'x' },
    [],
    null,
  ])('bounds what may be sent: %j', async (body) => {
    expect(outcome(await openBrowser(gateway).call('POST', '/portal/auth/sign-in', { body: JSON.stringify(body) }))).toBe(
      '400 invalid_request',
    );
  });

  it('has no sign-up, and nothing else of the library', async () => {
    for (const path of [
      'sign-up/email',
      'sign-up',
      'reset-password',
      'request-password-reset',
      'get-session',
      'list-sessions',
      'ok',
      'error',
    ]) {
      for (const method of ['GET', 'POST']) {
        expect(outcome(await person.call(method, `/portal/auth/${path}`))).toBe('404 not_found');
      }
    }
  });

  it('keeps the token in a cookie that scripts and other sites never get', async () => {
    const browser = openBrowser(gateway);
    const answer = await browser.signIn(person.email, person.password);
    const [cookie = '', known, ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(known).toMatch(/^gateway\.known_browser=[\w.-]+; Max-Age=34560000; Path=\/portal; HttpOnly; SameSite=Strict$/);
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(new RegExp(`^${cookieName}=`));
    expect(attributes.sort()).toEqual(['HttpOnly', `Max-Age=${7 * 24 * 60 * 60}`, 'Path=/', 'SameSite=Strict']);
    const [token = ''] = decodeURIComponent(pair.slice(cookieName.length + 1)).split('.');
    expect(JSON.stringify(answer.body)).not.toContain(token);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await browser.call('GET', '/portal/api/session')).headers.get('cache-control')).toBe('no-store');
  });

  describe('a session chosen beforehand', () => {
    it.each(['unknown', 'unsigned', 'forged', "somebody else's"])('is not taken over: %s', async (what) => {
      const attacker = await memberOf(gateway, (await gateway.customer()).accountId);
      const live = decodeURIComponent(attacker.cookies.get(cookieName) ?? '');
      const [token, signature] = live.split('.');
      const chosen = {
        unknown: `abcdefghijklmnopqrstuvwxyzabcdef.${signature}`,
        unsigned: token ?? '',
        forged: `${token}.${Buffer.alloc(32).toString('base64')}`,
        "somebody else's": live,
      }[what as 'unknown'];
      const victim = openBrowser(gateway);
      victim.cookies.set(cookieName, encodeURIComponent(chosen));
      const before = await session(victim);
      expect(before).toBe(what === "somebody else's" ? '200' : '401 invalid_session');
      expectOk(await victim.signIn(person.email, person.password));
      expect(victim.cookies.get(cookieName)).not.toBe(encodeURIComponent(chosen));
      expect((await victim.call('GET', '/portal/api/session')).body.data.user.email).toBe(person.email);
      // What the attacker knows leads where it led before, and not to the victim.
      const watching = openBrowser(gateway);
      watching.cookies.set(cookieName, encodeURIComponent(chosen));
      expect(await session(watching)).toBe(before);
      if (before === '200') expect((await watching.call('GET', '/portal/api/session')).body.data.user.email).toBe(attacker.email);
    });
  });

  it('issues a new session at every sign-in', async () => {
    const browser = openBrowser(gateway);
    const seen = new Set<string | undefined>();
    for (let i = 0; i < 3; i++) {
      expectOk(await browser.signIn(person.email, person.password));
      seen.add(browser.cookies.get(cookieName));
    }
    expect(seen.size).toBe(3);
  });

  describe('a session is over', () => {
    let browser: Browser;
    const signInAgain = async () => {
      browser = openBrowser(gateway);
      expectOk(await browser.signIn(person.email, person.password));
      return copyOf(browser);
    };

    it('after signing out, for whoever has the cookie', async () => {
      const copy = await signInAgain();
      expect(await session(copy)).toBe('200');
      expect(outcome(await browser.signOut())).toBe('200');
      expect([...browser.cookies.keys()]).toEqual(['gateway.known_browser']);
      expect(await session(browser)).toBe('401 missing_session');
      expect(await session(copy)).toBe('401 invalid_session');
      expect(outcome(await copy.signOut())).toBe('200');
    });

    it('after seven days, used or not', async () => {
      const copy = await signInAgain();
      const rows = await sessionRows().execute();
      const newest = rows.map((row) => new Date(row.expires_at).getTime()).sort((a, b) => b - a)[0] ?? 0;
      expect(Math.abs(newest - Date.now() - 7 * 24 * 60 * 60 * 1000)).toBeLessThan(60_000);
      const past = new Date(Date.now() - 1000);
      await gateway.app.store.db
        .updateTable('user_sessions')
        .set({ expires_at: anyStore === 'sqlite' ? past.toISOString() : past })
        .where('user_id', '=', person.userId)
        .execute();
      expect(await session(copy)).toBe('401 invalid_session');
      expect(outcome(await copy.call('GET', '/v1/instances'))).toBe('401 invalid_session');
    });

    it('after seven days, whatever is asked of the library with its cookie', async () => {
      await signInAgain();
      const soon = new Date(Date.now() + 5 * 24 * 60 * 60 * 1000).toISOString();
      await gateway.app.store.db.updateTable('user_sessions').set({ expires_at: soon }).where('user_id', '=', person.userId).execute();
      const calls = [
        ['two-factor/enable', { password: 'not the password' }],
        ['change-password', { currentPassword: 'not the password', newPassword: 'another password' }],
        ['change-name', { name: 'Somebody' }],
      ] as const;
      for (const [name, body] of calls) {
        const answer = await browser.call('POST', `/portal/auth/${name}`, { body });
        expect(outcome(answer)).toBe(name === 'change-name' ? '200' : '400 invalid_request');
      }
      const rows = await sessionRows().execute();
      expect(new Set(rows.map(({ expires_at }) => new Date(expires_at).toISOString()))).toEqual(new Set([soon]));
    });

    it('after the password was changed elsewhere; the browser that changed it goes on with a new one', async () => {
      const elsewhere = await signInAgain();
      const mine = openBrowser(gateway);
      expectOk(await mine.signIn(person.email, person.password));
      const mineBefore = copyOf(mine);
      const newPassword = `${person.password} changed`;
      gateway.secrets.add('a new password', newPassword);
      const change = (currentPassword: string, to: string) =>
        mine.call('POST', '/portal/auth/change-password', { body: { currentPassword, newPassword: to } });

      const wrong = await change('not the password', newPassword);
      expect([outcome(wrong), message(wrong)]).toEqual(['400 invalid_request', 'The password is wrong.']);
      expect(outcome(await change(person.password, 'too short'))).toBe('400 invalid_request');
      expect(await session(elsewhere)).toBe('200');

      expect(outcome(await change(person.password, newPassword))).toBe('200');
      expect([await session(elsewhere), await session(mineBefore), await session(mine)]).toEqual([
        '401 invalid_session',
        '401 invalid_session',
        '200',
      ]);
      expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('401 sign_in_failed');
      expect(outcome(await openBrowser(gateway).signIn(person.email, newPassword))).toBe('200');
      expectOk(await change(newPassword, person.password));
    });

    it('but not for the browser that changed the password, also when that cannot be recorded', async () => {
      const owner = await memberOf(gateway, customer.accountId);
      const before = copyOf(owner);
      const accept = await refuseRows(gateway.app.store, 'audit_log');
      const body = { currentPassword: owner.password, newPassword: `${owner.password} changed` };
      gateway.secrets.add('a new password', body.newPassword);
      try {
        expect(outcome(await owner.call('POST', '/portal/auth/change-password', { body }))).toBe('500 internal_error');
      } finally {
        await accept();
      }
      expect([await session(before), await session(owner)]).toEqual(['401 invalid_session', '200']);
    });

    it('when the person is gone', async () => {
      const copy = await signInAgain();
      const other = await operator(gateway);
      await gateway.app.store.db.deleteFrom('users').where('id', '=', other.userId).execute();
      expect(await session(other)).toBe('401 invalid_session');
      expect(await session(copy)).toBe('200');
    });
  });

  describe('while the store is away', () => {
    const away = '502 upstream_unavailable';

    it('is answered like everything else, and leaves no unexpected error in the log', async () => {
      const browser = openBrowser(gateway);
      expectOk(await browser.signIn(person.email, person.password));
      const before = gateway.logged().length;
      const printed = vi.spyOn(console, 'error');
      const store = gateway.apps.map((app) => makeUnreadable(app.store));
      try {
        expect(await session(browser)).toBe(away);
        expect(outcome(await browser.call('GET', '/v1/instances'))).toBe(away);
        expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe(away);
        expect(outcome(await browser.call('POST', '/portal/auth/change-name', { body: { name: 'Somebody' } }))).toBe(away);
        expect(printed).not.toHaveBeenCalled();
      } finally {
        printed.mockRestore();
        for (const one of store) one.end();
      }
      expect(gateway.logged().slice(before)).not.toMatch(/unexpected error|better-auth/);
      expect(await session(browser)).toBe('200');
    });

    it('nobody is told that they are signed out who is not', async () => {
      const browser = openBrowser(gateway);
      expectOk(await browser.signIn(person.email, person.password));
      const comeBack = await makeStoreUnavailable(gateway.app.store, 'user_sessions');
      try {
        expect(outcome(await browser.signOut())).toBe(away);
      } finally {
        await comeBack();
      }
      const copy = copyOf(browser);
      expect(await session(copy)).toBe('200');
      expectOk(await browser.signOut());
      expect(await session(copy)).toBe('401 invalid_session');
    });
  });

  it('is lost with the role: the session stays, what it opened does not', async () => {
    const removed = await memberOf(gateway, customer.accountId);
    await gateway.app.store.db.deleteFrom('memberships').where('user_id', '=', removed.userId).execute();
    expect(outcome(await removed.call('GET', '/v1/instances'))).toBe('403 forbidden');
    expect(outcome(await removed.call('GET', '/v1/instances', { account: null }))).toBe('403 forbidden');
    expect(outcome(await removed.call('GET', '/portal/api/session', { account: null }))).toBe('200');
  });
});
