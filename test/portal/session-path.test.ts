import { beforeAll, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { listAudit } from '../../src/audit/index.ts';
import { systemClock } from '../../src/core/index.ts';
import { findRequest } from '../../src/requests/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import type { Answer, Customer } from '../support/gateway.ts';
import { memberOf, openBrowser, operator, providerAdmin, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';

const unknownId = '0190a0a0-0000-7000-8000-000000000001';

/** Every endpoint that takes a session in a key's place. */
const endpoints: [string, string][] = [
  ['POST', '/v1/instances'],
  ['GET', '/v1/instances'],
  ['GET', `/v1/instances/${unknownId}/status`],
  ['GET', `/v1/instances/${unknownId}/qr`],
  ['GET', `/v1/instances/${unknownId}/qr-status`],
  ['GET', `/v1/instances/${unknownId}/passkey`],
  ['POST', `/v1/instances/${unknownId}/passkey`],
  ['POST', `/v1/instances/${unknownId}/passkey/confirm`],
  ['PATCH', `/v1/instances/${unknownId}`],
  ['DELETE', `/v1/instances/${unknownId}`],
  ['POST', '/sandbox/scan'],
  ['POST', '/sandbox/unlink'],
  ['GET', '/sandbox/messages?to=491701234567'],
];

const rateHeaders = (answer: Answer) => [...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'));

describe('the session path', () => {
  let member: SignedIn;
  const { gateway, customer } = useGateway();
  beforeAll(async () => {
    member = await memberOf(gateway, customer.accountId);
    member.account = null;
  });
  const change = (changes: Parameters<typeof updateAccount>[2], accountId = customer.accountId) =>
    updateAccount(gateway.app.store, accountId, changes, at(systemClock.now()));

  describe.each(endpoints)('%s %s', (method, path) => {
    // Whatever stands in the body: it is not looked at before the caller is known.
    const broken = method === 'GET' || method === 'DELETE' ? {} : { body: '{' };

    it('tells a page without a cookie from a caller without a key [session.codes]', async () => {
      const visitor = openBrowser(gateway);
      expect(outcome(await visitor.call(method, path, broken))).toBe('401 missing_session');
      expect(outcome(await visitor.call(method, path, { ...broken, headers: { 'x-portal': undefined } }))).toBe('401 missing_api_key');
    });

    it('refuses an unknown session [session.codes]', async () => {
      const visitor = openBrowser(gateway);
      visitor.cookies.set('gateway.session_token', 'abcdefghijklmnop.signature');
      const answer = await visitor.call(method, path, broken);
      expect(outcome(answer)).toBe('401 invalid_session');
      expect(rateHeaders(answer)).toEqual([]);
    });

    it("refuses another site's page, and a change without X-Portal", async () => {
      const headers = { 'x-portal': undefined, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
      expect(outcome(await member.call(method, path, { ...broken, headers }))).toBe('403 forbidden');
      if (method === 'GET') return;
      expect(outcome(await member.call(method, path, { ...broken, headers: { 'x-portal': undefined } }))).toBe('403 forbidden');
    });

    it('is the key path as soon as there is an apikey header, whatever else comes with it [session.key-path]', async () => {
      for (const apikey of ['mgw_abcdefgh_unknown', '']) {
        const code = apikey === '' ? 'missing_api_key' : 'invalid_api_key';
        expect(outcome(await member.call(method, path, { ...broken, headers: { apikey } }))).toBe(`401 ${code}`);
        expect(outcome(await openBrowser(gateway).call(method, path, { ...broken, headers: { apikey } }))).toBe(`401 ${code}`);
      }
      const stranger = await gateway.customer();
      const answer = await member.call(method, path, {
        ...broken,
        account: unknownId,
        headers: { apikey: stranger.key, origin: 'https://evil.example' },
      });
      expect(outcome(answer)).not.toMatch(/session|forbidden|^401/);
    });

    it('lets a member through to what they ask for [session.reach]', async () => {
      expect(outcome(await member.call(method, path, broken))).toMatch(/^(200|400 invalid_request|404 instance_not_found)$/);
    });
  });

  it('does everything with a number that a key does [session.reach sandbox.session]', async () => {
    const created = await member.call('POST', '/v1/instances', { body: { label: 'by hand' } });
    expect(outcome(created)).toBe('200');
    const { instance_id: id, qrcode } = created.body.data;
    const scanned = await member.call('POST', '/sandbox/scan', { body: { code: qrcode.code, phone_number: '491710000001' } });
    expect(outcome(scanned)).toBe('200');
    await customer.reaches(id, 'open');
    const status = await member.call('GET', `/v1/instances/${id}/status`);
    expect(status.body.data).toEqual((await customer.call('GET', `/v1/instances/${id}/status`)).body.data);
    expect((await member.call('GET', '/v1/instances')).body.data).toEqual((await customer.call('GET', '/v1/instances')).body.data);
    expect((await member.call('PATCH', `/v1/instances/${id}`, { body: { label: 'renamed' } })).body.data.label).toBe('renamed');
    expect((await member.call('GET', `/v1/instances/${id}/qr`)).body.data.already_connected).toBe(true);
    expect((await member.call('GET', `/v1/instances/${id}/qr-status`)).body.data.connected).toBe(true);
    await customer.send('text', { instance_id: id, to: '491701234599', text: 'seen by the person too' });
    expect((await member.call('GET', '/sandbox/messages?to=491701234599')).body.data.messages).toHaveLength(1);
    expect(outcome(await member.call('POST', '/sandbox/unlink', { body: { phone_number: '491710000001' } }))).toBe('200');
    expect((await member.call('DELETE', `/v1/instances/${id}`)).body.data.deleted).toBe(true);
    const done = await listAudit(gateway.app.store, { accountId: customer.accountId, limit: 100 });
    expect(done.filter(({ actor_name }) => actor_name === member.email).map(({ action }) => action)).toContain('number.delete');
  });

  it('notes the account and no key in the request log', async () => {
    const answer = await member.call('GET', '/v1/instances');
    const record = await waitFor(() => findRequest(gateway.app.store, answer.body.request_id));
    expect(record).toMatchObject({ account_id: customer.accountId, key_id: null, status: 200 });
  });

  it('does not open the sends and the number check to sessions', async () => {
    for (const path of ['/v1/messages/text', '/v1/numbers/check']) {
      expect(outcome(await member.call('POST', path, { body: {} }))).toBe('401 missing_api_key');
    }
  });

  it('makes the same checks of the account, in the same order [session.checks]', async () => {
    const theirs = await gateway.customer();
    const person = await memberOf(gateway, theirs.accountId);
    const list = async () => outcome(await person.call('GET', '/v1/instances'));
    const create = async () => outcome(await person.call('POST', '/v1/instances', { body: {} }));
    const yesterday = systemClock.now() - 86_400_000;
    await change({ plan: null }, theirs.accountId);
    expect([await list(), await create()]).toEqual(['200', '402 no_active_subscription']);
    await change({ plan: 'scale', planEndsAt: yesterday }, theirs.accountId);
    expect([await list(), await create()]).toEqual(['200', '402 subscription_expired']);
    // Its people may look while it is suspended (decisions §13).
    await change({ status: 'suspended' }, theirs.accountId);
    expect([await list(), await create()]).toEqual(['200', '403 account_suspended']);
    await change({ status: 'active' }, theirs.accountId);
    await change({ accessEndsAt: yesterday }, theirs.accountId);
    expect([await list(), await create()]).toEqual(['403 access_expired', '403 access_expired']);
    await change({ status: 'suspended' }, theirs.accountId);
    expect(await create()).toBe('403 account_suspended');
    expect(outcome(await openBrowser(gateway).call('GET', '/v1/instances'))).toBe('401 missing_session');
  });

  it('counts 120 requests a minute for each session, apart from keys and other sessions [session.limits]', async () => {
    const person = await memberOf(gateway, customer.accountId);
    const other = await memberOf(gateway, customer.accountId);
    for (let left = 119; left >= 0; left--) {
      const { headers } = await person.call('GET', '/v1/instances');
      expect(headers.get('x-ratelimit-remaining')).toBe(String(left));
    }
    const refused = await person.call('GET', '/v1/instances');
    expect(outcome(refused)).toBe('429 rate_limit_exceeded');
    expect(refused.body.error.details).toMatchObject({ limit_per_minute: 120, scope: 'instances' });
    expect(refused.headers.get('retry-after')).toBe(refused.headers.get('x-ratelimit-reset'));
    expect(outcome(await person.call('GET', '/sandbox/messages?to=491701234567'))).toBe('200');
    expect(outcome(await other.call('GET', '/v1/instances'))).toBe('200');
    expect(outcome(await customer.call('GET', '/v1/instances'))).toBe('200');
  });

  it('ends with the session [session.codes]', async () => {
    const person = await memberOf(gateway, customer.accountId);
    const cookies = new Map(person.cookies);
    expect(outcome(await person.call('GET', '/v1/instances'))).toBe('200');
    await person.signOut();
    for (const [name, value] of cookies) person.cookies.set(name, value);
    expect(outcome(await person.call('GET', '/v1/instances'))).toBe('401 invalid_session');
  });

  describe('X-Account-Id', () => {
    let theirs: Customer;
    let instance: string;
    beforeAll(async () => {
      theirs = await gateway.customer();
      instance = (await theirs.call('POST', '/v1/instances', {})).body.data.instance_id;
    });
    const seen = async (person: SignedIn, account: string | null) => {
      const answer = await person.call('GET', '/v1/instances', { account });
      return outcome(answer) === '200'
        ? answer.body.data.instances.map((item: { instance_id: string }) => item.instance_id)
        : outcome(answer);
    };

    it('lets an operator act for any account, and for none without it', async () => {
      const person = await operator(gateway);
      expect(await seen(person, theirs.accountId)).toEqual([instance]);
      expect(await seen(person, theirs.accountId.toUpperCase())).toEqual([instance]);
      expect(await seen(person, null)).toBe('403 forbidden');
      expect(await seen(person, unknownId)).toBe('403 forbidden');
      expect(await seen(person, 'nonsense')).toBe('403 forbidden');
    });

    it("lets a provider's admin act for the provider's accounts alone", async () => {
      const person = await providerAdmin(gateway);
      expect(await seen(person, theirs.accountId)).toBe('403 forbidden');
      await change({ providerId: person.providerId }, theirs.accountId);
      expect(await seen(person, theirs.accountId)).toEqual([instance]);
      expect(await seen(person, customer.accountId)).toBe('403 forbidden');
    });

    it('lets a member act for their own accounts alone', async () => {
      const person = await memberOf(gateway, theirs.accountId);
      expect(await seen(person, null)).toEqual([instance]);
      expect(await seen(person, theirs.accountId)).toEqual([instance]);
      expect(await seen(person, customer.accountId)).toBe('403 forbidden');
      expect(outcome(await member.call('GET', `/v1/instances/${instance}/status`))).toBe('404 instance_not_found');
    });
  });
});
