import { hash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstOperatorLink, invite, type Place, withdrawInvitation } from '../../src/people/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Answer, Customer } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Browser, expectOk, memberOf, newProvider, openBrowser } from '../support/portal.ts';
import { storeKinds } from '../support/stores.ts';
import { totpCode } from '../support/totp.ts';
import { useGateway } from '../support/use-gateway.ts';

const hourMs = 60 * 60 * 1000;
const unknownToken = 'A'.repeat(43);
const body = { name: 'Somebody New', password: 'a password of their own' };

describe.each(storeKinds)('one-time links on %s', (kind) => {
  const clock = createManualClock();
  let customer: Customer;
  let emails = 0;
  const { gateway } = useGateway({ store: kind, overrides: { clock } });
  beforeAll(async () => {
    gateway.secrets.add('a password', body.password);
  });
  beforeEach(async () => {
    customer = await gateway.customer();
  });

  const use = (browser: Browser, token: string, more: object = body): Promise<Answer> =>
    browser.call('POST', `/portal/api/links/${token}`, { body: more });
  const look = (token: string) => openBrowser(gateway).call('GET', `/portal/api/links/${token}`);
  const session = async (browser: Browser) => outcome(await browser.call('GET', '/portal/api/session'));
  const users = () => gateway.app.store.db.selectFrom('users').select('email').execute();
  const told = (token: string) => {
    gateway.secrets.add('the token of a link', token);
    return token;
  };
  const invitation = async (place: Partial<Place> = {}, email = `new-${kind}-${++emails}@example.com`) => {
    const to: Place = { role: 'member', providerId: null, accountId: place.role === undefined ? customer.accountId : null, ...place };
    const link = await invite(gateway.app.store, email, to, at(clock.now()));
    return { id: link.id, token: told(link.token), email };
  };

  describe('the first operator', () => {
    const first = async () => {
      const link = await firstOperatorLink(gateway.app.store, clock.now());
      return link === null ? null : told(link.token);
    };

    // In the order in which they stand: the gateway has one operator after the second.
    it('is one person, even when two use the link at the same moment', async () => {
      const earlier = await first();
      const token = await first();
      if (earlier === null || token === null) throw new Error('there is an operator already');
      expect(outcome(await look(earlier))).toBe('410 link_expired');
      expect((await look(token)).body.data).toMatchObject({ purpose: 'first_operator', email: null, role: 'operator', known_user: false });

      expect(outcome(await use(openBrowser(gateway), token, { ...body, email: 'nonsense' }))).toBe('400 invalid_request');
      const browsers = [1, 2, 3].map(() => openBrowser(gateway));
      const answers = await Promise.all(browsers.map((browser, i) => use(browser, token, { ...body, email: `operator-${i}@example.com` })));
      expect(answers.map(outcome).sort()).toEqual(['200', '410 link_expired', '410 link_expired']);
      expect(await users()).toHaveLength(1);
      const winner = browsers[answers.findIndex(({ status }) => status === 200)];
      if (winner === undefined) throw new Error('nobody won');
      expect((await winner.call('GET', '/portal/api/session')).body.data.memberships).toEqual([
        { role: 'operator', provider_id: null, account_id: null },
      ]);
      expect(outcome(await use(openBrowser(gateway), token, { ...body, email: 'late@example.com' }))).toBe('410 link_expired');
    });

    it('has no link any more once there is an operator, not even one that was made before', async () => {
      expect(await first()).toBe(null);
      const { db } = gateway.app.store;
      await db.updateTable('one_time_links').set({ used_at: null }).where('purpose', '=', 'first_operator').execute();
      const token = told('B'.repeat(43));
      const [link] = await db.selectFrom('one_time_links').select('id').where('purpose', '=', 'first_operator').execute();
      await db
        .updateTable('one_time_links')
        .set({ token_hash: hash('sha256', token, 'base64url'), expires_at: clock.now() + hourMs })
        .where('id', '=', link?.id ?? '')
        .execute();
      expect(outcome(await look(token))).toBe('410 link_expired');
      expect(outcome(await use(openBrowser(gateway), token, { ...body, email: 'second@example.com' }))).toBe('410 link_expired');
    });
  });

  describe('an invitation', () => {
    it('gives the role at the place it names, and signs in', async () => {
      const { token, email } = await invitation({ role: 'owner', accountId: customer.accountId });
      const seen = (await look(token)).body.data;
      expect(seen).toMatchObject({ purpose: 'invitation', email, role: 'owner', leads_to: 'customer', known_user: false });
      const browser = openBrowser(gateway);
      // The address is the invitation's, whatever else is sent.
      expect(outcome(await use(browser, token, { ...body, email: 'somebody-else@example.com', role: 'operator' }))).toBe('200');
      const { data } = (await browser.call('GET', '/portal/api/session')).body;
      expect(data.user).toMatchObject({ email, name: body.name });
      expect(data.memberships).toEqual([{ role: 'owner', provider_id: null, account_id: customer.accountId }]);
    });

    it.each([
      [{ password: 'a password of their own' }, 'name'],
      [{ name: ' ', password: 'a password of their own' }, 'name'],
      [{ name: 'n'.repeat(101), password: 'a password of their own' }, 'name'],
      [{ name: 'Somebody', password: '123456789' }, 'password'],
      [{ name: 'Somebody', password: 'p'.repeat(129) }, 'password'],
      [{ name: 'Somebody' }, 'password'],
    ])('can be used again after a mistake: %j', async (mistake, field) => {
      const { token } = await invitation();
      const answer = await use(openBrowser(gateway), token, mistake);
      expect([outcome(answer), answer.body.error.details.field]).toEqual(['400 invalid_request', field]);
      expect(outcome(await use(openBrowser(gateway), token))).toBe('200');
    });

    it('works once', async () => {
      const { token } = await invitation();
      expect(outcome(await use(openBrowser(gateway), token))).toBe('200');
      expect(outcome(await look(token))).toBe('410 link_expired');
      for (const more of [body, { ...body, password: 'another password' }]) {
        const again = openBrowser(gateway);
        expect(outcome(await use(again, token, more))).toBe('410 link_expired');
        expect(again.cookies.size).toBe(0);
      }
    });

    it('lets one in when two use it at the same moment', async () => {
      const { token, email } = await invitation();
      const browsers = [1, 2, 3, 4].map(() => openBrowser(gateway));
      const answers = await Promise.all(browsers.map((browser, i) => use(browser, token, { ...body, password: `password number ${i}` })));
      expect(answers.map(outcome).filter((said) => said === '200')).toHaveLength(1);
      const sessions = await Promise.all(browsers.map(session));
      expect(sessions.filter((said) => said === '200')).toHaveLength(1);
      const refused = answers.map(outcome).filter((said) => said !== '200');
      expect(refused.filter((said) => !/^(410 link_expired|401 sign_in_failed)$/.test(said))).toEqual([]);
      const { db } = gateway.app.store;
      const user = await db.selectFrom('users').select('id').where('email', '=', email).execute();
      expect(user).toHaveLength(1);
      const roles = await db
        .selectFrom('memberships')
        .selectAll()
        .where('user_id', '=', user[0]?.id ?? '')
        .execute();
      expect(roles).toHaveLength(1);
    });

    it('can be used again when another one of the same person came first at the same moment', async () => {
      const other = await gateway.customer();
      const first = await invitation();
      const second = await invitation({ role: 'member', accountId: other.accountId }, first.email);
      const answers = await Promise.all([first, second].map(({ token }) => use(openBrowser(gateway), token)));
      expect(answers.map(outcome)).toContain('200');
      for (const [i, { token }] of [first, second].entries()) {
        const answer = answers[i];
        if (answer === undefined || answer.status === 200) continue;
        expect(outcome(answer)).toBe('409 conflict');
        expect(outcome(await use(openBrowser(gateway), token))).toBe('200');
      }
      const browser = openBrowser(gateway);
      expectOk(await browser.signIn(first.email, body.password));
      const { memberships } = expectOk(await browser.call('GET', '/portal/api/session')).body.data;
      expect(memberships.map((place: { account_id: string }) => place.account_id).sort()).toEqual(
        [customer.accountId, other.accountId].sort(),
      );
    });

    it('is over after seven days, and when it was withdrawn', async () => {
      const { token } = await invitation();
      clock.advance(7 * 24 * hourMs - 1);
      expect(outcome(await look(token))).toBe('200');
      clock.advance(1);
      expect(outcome(await look(token))).toBe('410 link_expired');
      expect(outcome(await use(openBrowser(gateway), token))).toBe('410 link_expired');
      const withdrawn = await invitation();
      await withdrawInvitation(gateway.app.store, withdrawn.id, () => true, at(clock.now()));
      expect(outcome(await use(openBrowser(gateway), withdrawn.token))).toBe('410 link_expired');
    });

    it('asks somebody who has a sign-in for the password, and stays good until it is right', async () => {
      const person = await memberOf(gateway, customer.accountId);
      const providerId = await newProvider(gateway);
      const { token } = await invitation({ role: 'provider_admin', providerId }, person.email);
      expect((await look(token)).body.data).toMatchObject({ known_user: true, role: 'provider_admin' });
      const stranger = openBrowser(gateway);
      expect(outcome(await use(stranger, token, { ...body, password: 'chosen by a stranger' }))).toBe('401 sign_in_failed');
      expect(stranger.cookies.size).toBe(0);
      expect(outcome(await openBrowser(gateway).signIn(person.email, person.password))).toBe('200');
      const browser = openBrowser(gateway);
      expect(outcome(await use(browser, token, { password: person.password }))).toBe('200');
      expect((await browser.call('GET', '/portal/api/session')).body.data.memberships.map((place: { role: string }) => place.role)).toEqual(
        ['member', 'provider_admin'],
      );
    });

    it('is no way around two-factor', async () => {
      const person = await memberOf(gateway, customer.accountId);
      const { data } = expectOk(await person.call('POST', '/portal/auth/two-factor/enable', { body: { password: person.password } })).body;
      expectOk(await person.call('POST', '/portal/auth/two-factor/verify-totp', { body: { code: totpCode(data.totp_uri) } }));
      const other = await gateway.customer();
      const { token } = await invitation({ accountId: other.accountId, role: 'member' }, person.email);
      const browser = openBrowser(gateway);
      expect((await use(browser, token, { password: person.password })).body.data).toEqual({ two_factor: true });
      expect(await session(browser)).toBe('401 missing_session');
    });
  });

  it.each([unknownToken, 'x', '..', '%00', "' or 1=1 --", 'ü'.repeat(2000)])('does not know %s', async (token) => {
    const path = encodeURIComponent(token);
    for (const method of ['GET', 'POST']) {
      const answer = await openBrowser(gateway).call(method, `/portal/api/links/${path}`, method === 'GET' ? {} : { body });
      expect(outcome(answer)).toMatch(/^(410 link_expired|404 not_found)$/);
    }
  });

  it('keeps only a hash', async () => {
    const { token } = await invitation();
    const rows = await gateway.app.store.db.selectFrom('one_time_links').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
