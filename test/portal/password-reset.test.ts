import { describe, expect, it } from 'vitest';
import { listAudit } from '../../src/audit/index.ts';
import { invite, passwordResetLink } from '../../src/people/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Answer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { authenticator } from '../support/totp.ts';
import { useGateway } from '../support/use-gateway.ts';

const hourMs = 60 * 60 * 1000;

describe('a password reset', () => {
  const clock = createManualClock();
  const { gateway, customer } = useGateway({ overrides: { clock } });

  const use = (browser: Browser, token: string, body: object): Promise<Answer> =>
    browser.call('POST', `/portal/api/links/${token}`, { body });
  const look = (token: string) => openBrowser(gateway).call('GET', `/portal/api/links/${token}`);
  const session = async (browser: Browser) => outcome(await browser.call('GET', '/portal/api/session'));
  const told = (token: string) => {
    gateway.secrets.add('the token of a link', token);
    return token;
  };
  const reset = async ({ email }: SignedIn) => told((await passwordResetLink(gateway.app.store, email, at(clock.now()))).token);

  it('sets the password and signs out everywhere, also the one who stole the old one', async () => {
    const person = await memberOf(gateway, customer.accountId);
    const thief = openBrowser(gateway);
    expectOk(await thief.signIn(person.email, person.password));
    const token = await reset(person);
    expect((await look(token)).body.data).toMatchObject({ purpose: 'password_reset', email: person.email, role: null, known_user: true });
    expect([await session(person), await session(thief)]).toEqual(['200', '200']);

    const browser = openBrowser(gateway);
    expect(outcome(await use(browser, token, { password: 'too short' }))).toBe('400 invalid_request');
    expect(outcome(await use(browser, token, { password: 'a password of their own' }))).toBe('200');
    expect([await session(person), await session(thief), await session(browser)]).toEqual([
      '401 invalid_session',
      '401 invalid_session',
      '200',
    ]);
    expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('401 sign_in_failed');
    expect(outcome(await openBrowser(gateway).signIn(person.email, 'a password of their own'))).toBe('200');
    expect(outcome(await use(openBrowser(gateway), token, { password: 'yet another password' }))).toBe('410 link_expired');
  });

  it('is over after two hours, and when another one was made', async () => {
    const person = await memberOf(gateway, customer.accountId);
    const [earlier, token] = [await reset(person), await reset(person)];
    expect(outcome(await look(earlier))).toBe('410 link_expired');
    clock.advance(2 * hourMs - 1);
    expect(outcome(await look(token))).toBe('200');
    clock.advance(1);
    expect(outcome(await use(openBrowser(gateway), token, { password: 'a password of their own' }))).toBe('410 link_expired');
    expect(await session(person)).toBe('200');
  });

  it('is over when the person got another role since, which its maker may not have', async () => {
    const person = await memberOf(gateway, customer.accountId);
    const token = await reset(person);
    const place = { role: 'operator', providerId: null, accountId: null } as const;
    const { token: invited } = await invite(gateway.app.store, person.email, place, at(clock.now()));
    told(invited);
    expectOk(await use(openBrowser(gateway), invited, { password: person.password }));
    expect(outcome(await use(openBrowser(gateway), token, { password: 'chosen by somebody else' }))).toBe('410 link_expired');
  });

  it('is no way around two-factor', async () => {
    const person = await memberOf(gateway, customer.accountId);
    const { data } = expectOk(await person.call('POST', '/portal/auth/two-factor/enable', { body: { password: person.password } })).body;
    const nextCode = authenticator(data.totp_uri);
    expectOk(await person.call('POST', '/portal/auth/two-factor/verify-totp', { body: { code: nextCode() } }));
    const [thief, browser] = [openBrowser(gateway), openBrowser(gateway)];
    expect((await thief.signIn(person.email, person.password)).body.data).toEqual({ two_factor: true });
    expect((await use(browser, await reset(person), { password: 'a password of their own' })).body.data).toEqual({ two_factor: true });
    expect(await session(browser)).toBe('401 missing_session');
    // What began with the old password is over.
    const late = await thief.call('POST', '/portal/auth/two-factor/verify-backup-code', { body: { code: data.backup_codes[0] } });
    expect(outcome(late)).toBe('401 sign_in_failed');
    expectOk(await browser.call('POST', '/portal/auth/two-factor/verify-totp', { body: { code: nextCode() } }));
    expect(await session(browser)).toBe('200');
  });

  it('is noted in the audit log as done by the person', async () => {
    const person = await operator(gateway);
    expectOk(await use(openBrowser(gateway), await reset(person), { password: 'a password of their own' }));
    const entries = await listAudit(gateway.app.store, { limit: 50 });
    expect(entries.filter(({ actor_name }) => actor_name === person.email).map(({ action }) => action)).toContain('user.password');
  });
});
