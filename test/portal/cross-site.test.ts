import { beforeAll, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import type { Answer, Customer } from '../support/gateway.ts';
import { expectOk, memberOf, openBrowser, type SignedIn } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

const corsHeaders = ({ headers }: Answer) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('requests of other sites', () => {
  let customer: Customer;
  let person: SignedIn;
  let own: string;
  const { gateway } = useGateway();
  beforeAll(async () => {
    own = gateway.address;
    customer = await gateway.customer();
    person = await memberOf(gateway, customer.accountId, 'owner');
  });

  // What browsers say of who asks, and whether it is one of our own pages.
  const senders: [string, Record<string, string | undefined>, 'reads' | 'everything' | 'nothing'][] = [
    ['a page of the portal', { 'sec-fetch-site': 'same-origin', origin: 'own' }, 'everything'],
    ['a browser that says nothing', { 'sec-fetch-site': undefined }, 'everything'],
    ['an address typed in', { 'sec-fetch-site': 'none' }, 'everything'],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 'nothing'],
    ['another site, read by its Origin alone', { 'sec-fetch-site': undefined, origin: 'https://evil.example' }, 'nothing'],
    ['a sandboxed frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 'nothing'],
    ['a frame that says null', { 'sec-fetch-site': undefined, origin: 'null' }, 'nothing'],
    ['another site without Origin', { 'sec-fetch-site': 'cross-site' }, 'nothing'],
    ['a neighbour under the same domain', { 'sec-fetch-site': 'same-site' }, 'nothing'],
    ['another port of this machine', { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:1' }, 'nothing'],
    ['a name that begins like ours', { 'sec-fetch-site': undefined, origin: 'own.evil.example' }, 'nothing'],
    ['a form, which cannot set headers', { 'x-portal': undefined }, 'reads'],
    ['a form with another value', { 'x-portal': '0' }, 'reads'],
  ];
  const endpoints: [method: string, path: string, body?: object][] = [
    ['GET', '/portal/api/session'],
    ['GET', '/v1/instances'],
    ['GET', '/sandbox/messages?to=491701234567'],
    ['POST', '/v1/instances', {}],
    ['POST', '/sandbox/scan', { code: 'x', phone_number: '491701234567' }],
    ['POST', '/portal/auth/change-name', { name: 'Renamed' }],
    ['POST', '/portal/auth/sign-in', { email: 'a@example.com', password: 'wrong password' }],
    ['POST', '/portal/auth/sign-out', {}],
    ['POST', '/portal/api/links/unknown', { password: 'a password' }],
    ['GET', '/portal/api/links/unknown'],
  ];

  describe.each(senders)('%s', (_who, said, may) => {
    it.each(endpoints)('%s %s', async (method, path, body) => {
      const headers = { ...said };
      if (headers.origin?.startsWith('own')) headers.origin = headers.origin.replace('own', own);
      // A browser of its own each time, because some of them sign out.
      const browser = openBrowser(gateway);
      const signsOut = path.endsWith('sign-out');
      if (!signsOut) for (const [name, value] of person.cookies) browser.cookies.set(name, value);
      const answer = await browser.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
      const refused = may === 'nothing' || (may === 'reads' && method !== 'GET');
      if (refused) {
        expect(outcome(answer)).toBe('403 forbidden');
        expect(answer.headers.getSetCookie()).toEqual([]);
      } else expect(outcome(answer)).not.toMatch(/forbidden|session/);
      expect(corsHeaders(answer)).toEqual([]);
    });
  });

  it('changed nothing by any of those that were refused', async () => {
    const { name } = expectOk(await person.call('GET', '/portal/api/session')).body.data.user;
    expect(name).toBe('Renamed');
    const before = (await customer.call('GET', '/v1/instances')).body.data.instances.length;
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(outcome(await person.call('POST', '/v1/instances', { body: {}, headers: evil }))).toBe('403 forbidden');
    expect(outcome(await person.call('POST', '/portal/auth/change-name', { body: { name: 'Evil' }, headers: evil }))).toBe('403 forbidden');
    expect(expectOk(await person.call('GET', '/portal/api/session')).body.data.user.name).toBe('Renamed');
    expect((await customer.call('GET', '/v1/instances')).body.data.instances).toHaveLength(before);
  });

  it('gives no other site leave to ask, neither with a cookie nor with a key', async () => {
    for (const path of ['/v1/instances', '/portal/api/session', '/portal/auth/sign-in', '/sandbox/scan', '/v1/messages/text', '/']) {
      const preflight = await openBrowser(gateway).call('OPTIONS', path, {
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-portal,content-type,apikey',
          'sec-fetch-site': 'cross-site',
        },
      });
      expect(outcome(preflight)).toBe('404 not_found');
      expect(corsHeaders(preflight)).toEqual([]);
    }
    const byKey = await customer.call('GET', '/v1/instances', undefined, { origin: 'https://evil.example' });
    expect([outcome(byKey), corsHeaders(byKey)]).toEqual(['200', []]);
  });

  it('takes no JSON from what a form of another site can send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await person.call('POST', '/portal/auth/change-name', {
        body: JSON.stringify({ name: 'Evil' }),
        headers: { 'content-type': type },
      });
      expect(outcome(answer)).toBe('400 invalid_request');
    }
  });
});

describe('a portal that is reached by another address than the server listens at', () => {
  let person: SignedIn;
  const { gateway } = useGateway({ store: 'sqlite', env: { PUBLIC_URL: 'https://portal.example' } });
  beforeAll(async () => {
    person = await memberOf(gateway, (await gateway.customer()).accountId);
  });

  const withOrigin = async (origin: string, headers: Record<string, string> = {}) =>
    outcome(
      await person.call('POST', '/portal/auth/change-name', {
        body: { name: 'Renamed' },
        headers: { origin, 'sec-fetch-site': undefined, ...headers },
      }),
    );

  it('is asked from its public address', async () => {
    expect(await withOrigin('https://portal.example')).toBe('200');
    for (const origin of [
      'http://portal.example',
      'https://portal.example:8443',
      'https://portal.example.evil.example',
      'https://evil.example',
    ]) {
      expect(await withOrigin(origin)).toBe('403 forbidden');
    }
  });

  it('does not believe who claims to be a proxy', async () => {
    for (const name of ['x-forwarded-host', 'x-forwarded-server', 'x-original-host', 'forwarded']) {
      expect(await withOrigin('https://evil.example', { [name]: 'evil.example' })).toBe('403 forbidden');
    }
  });
});
