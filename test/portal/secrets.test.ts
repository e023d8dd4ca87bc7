import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstOperatorLink } from '../../src/people/index.ts';
import { findRequest } from '../../src/requests/index.ts';
import { outcome } from '../contract/outcome.ts';
import { type Answer, startGateway } from '../support/gateway.ts';
import { expectOk, memberOf, openBrowser, type SignedIn } from '../support/portal.ts';
import { fromBase32 } from '../support/totp.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

describe('what the portal keeps to itself', () => {
  let person: SignedIn;
  // Passwords, cookies and tokens are looked for in the log when the gateway stops.
  const { gateway, customer } = useGateway({ env: { LOG_LEVEL: 'trace' }, overrides: { passwords: undefined } });
  beforeAll(async () => {
    person = await memberOf(gateway, customer.accountId);
  });

  const pathOf = async ({ headers }: Answer): Promise<string> => {
    const id = headers.get('x-request-id') ?? '';
    return (await waitFor(() => findRequest(gateway.app.store, id))).path;
  };

  it("writes a link's route in the request log, never its token, however badly it was pasted", async () => {
    const link = await firstOperatorLink(gateway.app.store, gateway.clock.now());
    if (link === null) throw new Error('there is an operator already');
    const { token } = link;
    gateway.secrets.add('the token of the first link', token);
    const visitor = openBrowser(gateway);
    const asked = [
      ['GET', `/link/${token}`, 200],
      ['GET', `/portal/api/links/${token}`, 200],
      ['POST', `/portal/api/links/${token}`, 400],
      ['GET', `/link/${token}.`, 200],
      ['HEAD', `/link/${token}`, 200],
      ['GET', `/link/${token}/`, 404],
      ['GET', `/Link/${token}`, 404],
      ['GET', `//link/${token}`, 404],
      ['GET', `/link%2F${token}`, 404],
      ['GET', `/link/${token}%zz`, 404],
      ['GET', `/portal/api/links/${token}/more?token=${token}`, 404],
      ['PUT', `/portal/api/links/${token}`, 404],
    ] as const;
    for (const [method, path, status] of asked) {
      const answer = await visitor.call(method, path);
      expect([path, answer.status]).toEqual([path, status]);
      expect(await pathOf(answer)).not.toContain(token);
    }
    expect(await pathOf(await visitor.call('GET', `/link/${token}`))).toBe('/link/:token');
    expect(await pathOf(await visitor.call('GET', `/portal/api/links/${token}`))).toBe('/portal/api/links/:token');
    expect(JSON.stringify(await gateway.app.store.db.selectFrom('requests').selectAll().execute())).not.toContain(token);
  });

  it('tells no password, cookie or two-factor secret anywhere but to whom they belong', async () => {
    const enabled = expectOk(await person.call('POST', '/portal/auth/two-factor/enable', { body: { password: person.password } }));
    const { totp_uri, backup_codes } = enabled.body.data;
    const shownSecret = new URL(totp_uri).searchParams.get('secret') ?? '';
    // The app is told it in base32; the store would hold what that stands for.
    const secret = fromBase32(shownSecret).toString();
    expect([secret, backup_codes]).toEqual([expect.stringMatching(/^[\w-]{32}$/), expect.objectContaining({ length: 10 })]);
    for (const form of [shownSecret, secret]) gateway.secrets.add('a two-factor secret', form);
    for (const code of backup_codes) gateway.secrets.add('a backup code', code);
    for (const password of ['wrong password 1234567', person.password]) {
      gateway.secrets.add('a password that was tried', password);
      await openBrowser(gateway).signIn(person.email, password);
      await person.call('POST', '/portal/auth/two-factor/backup-codes', { body: { password } });
      await person.call('POST', '/portal/auth/change-password', { body: { currentPassword: password, newPassword: 'short' } });
      await person.call('POST', '/portal/auth/sign-in', { body: { email: { password }, password } });
      await person.call('POST', '/portal/auth/sign-in', { body: `{"password":"${password}` });
    }
    await person.call('GET', '/portal/api/session', { headers: { cookie: `${person.headers().cookie}; x="` } });

    const { db } = gateway.app.store;
    const kept = [
      JSON.stringify(await db.selectFrom('requests').selectAll().execute()),
      JSON.stringify(await db.selectFrom('audit_log').selectAll().execute()),
    ];
    // Of the session and of the known browser, both the token and the signature behind its dot.
    const cookies = [...person.cookies.values()].flatMap((value) => decodeURIComponent(value).split('.'));
    expect(cookies).toHaveLength(4);
    for (const text of [person.password, secret, shownSecret, ...backup_codes, ...cookies]) {
      for (const table of kept) expect(table).not.toContain(text);
    }
    // Sealed, so that a stolen database gives nobody the second factor.
    const columns = db.selectFrom('user_two_factors' as 'users').selectAll();
    const stored = await columns.where('user_id' as 'id', '=', person.userId).execute();
    expect(stored).toEqual([expect.objectContaining({ secret: expect.any(String), backup_codes: expect.any(String) })]);
    for (const text of [secret, shownSecret, ...backup_codes]) expect(JSON.stringify(stored)).not.toContain(text);
  });

  it('tells no library text, stack or SQL when the store fails in the middle of a sign-in', async () => {
    await gateway.restart({ whileDown: (store) => store.db.schema.dropTable('user_sessions').execute() });
    const answer = await openBrowser(gateway).signIn(person.email, person.password);
    expect(outcome(answer)).toBe('500 internal_error');
    expect(JSON.stringify(answer.body)).not.toMatch(/user_sessions|better-auth|sql|relation|table/i);
    expect(outcome(await person.call('GET', '/v1/instances'))).toBe('500 internal_error');
    expect(gateway.logged()).toContain('user_sessions');
  });
});

/** Not a test of the gateway: a harness that looks for nothing would find nothing. */
it('knows what to look for', async () => {
  const gateway = await startGateway();
  const { accountId } = await gateway.customer();
  const person = await memberOf(gateway, accountId);
  const secrets = createHmac('sha256', person.password).digest('hex');
  expect(() => gateway.secrets.check(secrets)).not.toThrow();
  expect(() => gateway.secrets.check(`told: ${person.password}`)).toThrow('a password');
  expect(() => gateway.secrets.check(person.headers().cookie ?? '')).toThrow('the cookie gateway.session_token');
  await gateway.stop();
});
