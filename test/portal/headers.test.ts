import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { invite } from '../../src/people/index.ts';
import { pagePaths } from '../../src/portal/page-paths.ts';
import { certificates } from '../cli/certificates.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.ts';
import { memberOf, openBrowser } from '../support/portal.ts';
import { useGateway } from '../support/use-gateway.ts';

const directives = ({ headers }: Answer): Record<string, string[]> =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ');
      return [name, values];
    }),
  );

/** What every page and file of the portal says to the browser, whichever way it came. */
function expectGuarded(answer: Answer): void {
  const policy = directives(answer);
  expect(policy).toMatchObject({
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'connect-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  });
  expect(JSON.stringify(policy)).not.toMatch(/unsafe-eval|https?:|\*/);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(answer.headers.get('x-powered-by')).toBe(null);
}

describe('the pages', () => {
  const { gateway } = useGateway();
  const get = (path: string, headers: Record<string, string | undefined> = {}) => openBrowser(gateway).call('GET', path, { headers });

  it.each(pagePaths)('%s is guarded and never kept', async (path) => {
    const answer = await get(path.replace(/:\w+/, '0190a0a0-0000-7000-8000-000000000001'));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expectGuarded(answer);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('strict-transport-security')).toBe(null);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it.each(['/', '/sign-in', '/operator/accounts'])('%s names every file that browsers keep by what it holds', async (path) => {
    const html: string = (await get(path, { cookie: 'any=1' })).body;
    const files = [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect(file).toMatch(/-[\w-]{8}\.(js|css)$|\?[\w-]{8}$/);
  });

  it('have no script or style of their own that a policy would have to allow, and nothing from elsewhere', async () => {
    const html: string = (await get('/')).body;
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|javascript:/i);
    expect(
      [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address).filter((address) => !address?.startsWith('/assets/')),
    ).toEqual([]);
    for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const file = await get(address);
      expect(file.status).toBe(200);
      expectGuarded(file);
    }
  });

  it('are the same for everybody: whoever is not signed in learns nothing from them', async () => {
    const page = async (path: string, cookie?: string): Promise<string> => (await get(path.replace(/:\w+/, 'x'), { cookie })).body;
    const [home, signIn] = [await page('/', 'session=anything'), await page('/sign-in')];
    expect(await page('/')).toBe(signIn);
    const others = await Promise.all(pagePaths.filter((path) => path !== '/' && path !== '/sign-in').map((path) => page(path)));
    expect(new Set(others).size).toBe(1);
    // The first two name some of the program's files beforehand, and that is all.
    const withoutFiles = (html: string) => html.replaceAll(/\s*<(?:link|script)[^>]*\/assets\/[^>]*>(?:<\/script>)?/g, '');
    expect(new Set([home, signIn, others[0] ?? ''].map(withoutFiles)).size).toBe(1);
  });

  it.each([
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/index.html',
    '/assets/',
    '/index.html',
    '/assets/.env',
    '/assets/no-such-file.js',
    '/assets/%00',
    '/assets/%zz',
    '/assets//index.html',
    '/assets/..\\index.html',
  ])('come from their own folder alone: %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(JSON.stringify(answer.body)).not.toContain('messaging-gateway');
  });

  it('do not believe that they came by https because somebody says so', async () => {
    const answer = await get('/', { 'x-forwarded-proto': 'https' });
    expect(answer.headers.get('strict-transport-security')).toBe(null);
  });
});

describe('behind https', () => {
  const password = 'a password of their own';
  /** The cookies of a new person's first sign-in. */
  async function firstSignIn(gateway: TestGateway, ca?: string): Promise<{ cookies: string[]; session: string }> {
    const { accountId } = await gateway.customer();
    const place = { role: 'member', providerId: null, accountId } as const;
    const { token } = await invite(gateway.app.store, 'somebody@example.com', place, at(gateway.clock.now()));
    const browser = openBrowser(gateway, ca === undefined ? {} : { ca });
    const used = await browser.call('POST', `/portal/api/links/${token}`, { body: { name: 'Somebody', password } });
    return { cookies: used.headers.getSetCookie(), session: outcome(await browser.call('GET', '/portal/api/session')) };
  }
  const secureCookies = ['session_token', 'known_browser'].map((name) =>
    expect.stringMatching(new RegExp(`^__Secure-gateway\\.${name}=[^;]+;(?=.*; Secure)(?=.*; HttpOnly)(?=.*; SameSite=Strict).*$`)),
  );

  it('of a proxy in front: secure cookies by name and attribute, and HSTS', async () => {
    const gateway = await startGateway('sqlite', { env: { PUBLIC_URL: 'https://portal.example' } });
    try {
      const { cookies, session } = await firstSignIn(gateway);
      expect(cookies).toEqual(secureCookies);
      expect(session).toBe('200');
      expect((await openBrowser(gateway).call('GET', '/')).headers.get('strict-transport-security')).toBe('max-age=31536000');
      // A cookie that a page without https could have set is none.
      const tossed = openBrowser(gateway);
      const [, value = ''] = /=([^;]+)/.exec(cookies[0] ?? '') ?? [];
      tossed.cookies.set('gateway.session_token', value);
      expect(outcome(await tossed.call('GET', '/portal/api/session'))).toBe('401 invalid_session');
    } finally {
      await gateway.stop();
    }
  });

  it('that a trusted proxy tells of: the same, and plain cookies for who comes without', async () => {
    const gateway = await startGateway('sqlite', { env: { TRUST_PROXY: '127.0.0.0/8' } });
    try {
      const { accountId } = await gateway.customer();
      const person = await memberOf(gateway, accountId);
      expect([...person.cookies.keys()]).toEqual(['gateway.session_token', 'gateway.known_browser']);
      const https = { 'x-forwarded-proto': 'https' };
      const browser = openBrowser(gateway);
      const body = { email: person.email, password: person.password };
      const signedIn = await browser.call('POST', '/portal/auth/sign-in', { body, headers: https });
      expect(signedIn.headers.getSetCookie()).toEqual(secureCookies);
      expect(outcome(await browser.call('GET', '/portal/api/session', { headers: https }))).toBe('200');
      expect(outcome(await browser.call('GET', '/v1/instances', { headers: https }))).toBe('200');
      // Neither is taken for the other.
      expect(outcome(await browser.call('GET', '/portal/api/session'))).toBe('401 invalid_session');
      expect(outcome(await person.call('GET', '/portal/api/session', { headers: https }))).toBe('401 invalid_session');
      expect((await browser.call('POST', '/portal/auth/sign-out', { body: {}, headers: https })).headers.getSetCookie().join()).toContain(
        'Secure',
      );
      expect(outcome(await person.call('GET', '/portal/api/session'))).toBe('200');
    } finally {
      await gateway.stop();
    }
  });

  it('that nobody vouches for changes nothing', async () => {
    const gateway = await startGateway('sqlite');
    try {
      const person = await memberOf(gateway, (await gateway.customer()).accountId);
      const browser = openBrowser(gateway);
      const body = { email: person.email, password: person.password };
      await browser.call('POST', '/portal/auth/sign-in', { body, headers: { 'x-forwarded-proto': 'https' } });
      expect([...browser.cookies.keys()]).toEqual(['gateway.session_token', 'gateway.known_browser']);
    } finally {
      await gateway.stop();
    }
  });

  it('of its own: the same', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-portal-tls-'));
    const { certificate, privateKey } = certificates.loopback;
    writeFileSync(join(folder, 'cert.pem'), certificate);
    writeFileSync(join(folder, 'key.pem'), privateKey);
    const env = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
    const gateway = await startGateway('sqlite', { env });
    try {
      const { cookies, session } = await firstSignIn(gateway, certificate);
      expect(cookies).toEqual(secureCookies);
      expect(session).toBe('200');
      const page = await openBrowser(gateway, { ca: certificate }).call('GET', '/');
      expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
      expectGuarded(page);
    } finally {
      await gateway.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
