import { randomBytes, randomInt } from 'node:crypto';
import { request as byHttp, type IncomingMessage } from 'node:http';
import { request as byHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { createProvider } from '../../src/accounts/index.ts';
import { invite, type Place } from '../../src/people/index.ts';
import { at } from './act.ts';
import type { Answer, TestGateway } from './gateway.ts';

export interface BrowserCall {
  readonly body?: unknown;
  /** Instead of the account the browser acts for; null: none. */
  readonly account?: string | null;
  /** Besides those a page sends; undefined takes one away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** A browser at the portal: it keeps cookies, sends what a page sends, and comes from an address of its own. */
export interface Browser {
  /** The address it comes from. */
  readonly from: string;
  /** Its cookies by name; a test may put others in. */
  readonly cookies: Map<string, string>;
  /** The account its pages act for (X-Account-Id); null: none is named. */
  account: string | null;
  /** What its pages send, as headers: for streams and other clients. */
  headers(call?: BrowserCall): Record<string, string>;
  call(method: string, path: string, call?: BrowserCall): Promise<Answer>;
  signIn(email: string, password: string): Promise<Answer>;
  signOut(): Promise<Answer>;
}

/** Somebody who signed in. */
export interface SignedIn extends Browser {
  readonly userId: string;
  readonly email: string;
  readonly password: string;
}

/** A new browser without cookies. `ca`: the certificate it trusts besides those everybody trusts. */
export function openBrowser(gateway: Pick<TestGateway, 'address' | 'secrets'>, options: { ca?: string } = {}): Browser {
  const cookies = new Map<string, string>();
  const browser: Browser = {
    // All of 127.0.0.0/8 is this machine, so everybody has a budget of attempts of their own.
    from: `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`,
    cookies,
    account: null,
    headers({ body, account = browser.account, headers = {} } = {}) {
      const all = {
        'x-portal': '1',
        'sec-fetch-site': 'same-origin',
        cookie: cookies.size === 0 ? undefined : [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-account-id': account ?? undefined,
        'content-type': body === undefined ? undefined : 'application/json',
        ...headers,
      };
      return Object.fromEntries(Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined));
    },
    async call(method, path, call = {}) {
      const response = await ask(
        gateway.address,
        // As it stands, without what a browser would make of it.
        { method, path, headers: browser.headers(call), localAddress: browser.from, ...options },
        call.body,
      );
      const headers = new Headers();
      for (const [name, values] of Object.entries(response.headersDistinct)) for (const value of values ?? []) headers.append(name, value);
      for (const cookie of headers.getSetCookie()) keep(cookies, cookie, gateway.secrets);
      const said = await text(response);
      return { status: response.statusCode ?? 0, headers, body: said.startsWith('{') ? JSON.parse(said) : said };
    },
    signIn: (email, password) => browser.call('POST', '/portal/auth/sign-in', { body: { email, password } }),
    signOut: () => browser.call('POST', '/portal/auth/sign-out', { body: {} }),
  };
  return browser;
}

/** Somebody with this role, who accepted an invitation and is signed in. */
export async function personAt(gateway: TestGateway, place: Partial<Place> & Pick<Place, 'role'>, email?: string): Promise<SignedIn> {
  const person = {
    email: email ?? `${place.role}-${randomBytes(4).toString('hex')}@example.com`,
    password: `password ${randomBytes(9).toString('base64url')}`,
  };
  const link = await invite(gateway.app.store, person.email, { providerId: null, accountId: null, ...place }, at(gateway.clock.now()));
  gateway.secrets.add('the token of a link', link.token);
  gateway.secrets.add('a password', person.password);
  const browser = openBrowser(gateway);
  const body = { name: place.role, password: person.password };
  const used = expectOk(await browser.call('POST', `/portal/api/links/${link.token}`, { body }));
  if (used.body.data.two_factor) throw new Error('a new person has two-factor on');
  const session = expectOk(await browser.call('GET', '/portal/api/session'));
  browser.account = place.accountId ?? null;
  return Object.assign(browser, person, { userId: session.body.data.user.user_id as string });
}

export const operator = (gateway: TestGateway): Promise<SignedIn> => personAt(gateway, { role: 'operator' });

export const memberOf = (gateway: TestGateway, accountId: string, role: 'owner' | 'member' = 'member'): Promise<SignedIn> =>
  personAt(gateway, { role, accountId });

/** The admin of a provider; of a new one when none is given. */
export async function providerAdmin(gateway: TestGateway, providerId?: string): Promise<SignedIn & { providerId: string }> {
  const id = providerId ?? (await newProvider(gateway));
  return Object.assign(await personAt(gateway, { role: 'provider_admin', providerId: id }), { providerId: id });
}

export async function newProvider({ app, clock }: TestGateway): Promise<string> {
  const name = `provider ${randomBytes(4).toString('hex')}`;
  return (await createProvider(app.store, { name, numberCapacity: null }, at(clock.now()))).id;
}

/** The answer, when it is 200. */
export function expectOk(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`not accepted: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

function ask(url: string, options: object, body: unknown): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // A connection of its own each time, so nothing stays open.
    const request = url.startsWith('https:') ? byHttps : byHttp;
    const sent = request(url, { ...options, agent: false }, resolve).on('error', reject);
    const asItIs = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const content = asItIs ? body : JSON.stringify(body);
    // Node says it by itself for every method but DELETE.
    if (content !== undefined) sent.setHeader('content-length', Buffer.byteLength(content));
    sent.end(content);
  });
}

function keep(cookies: Map<string, string>, header: string, secrets: TestGateway['secrets']): void {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const name = pair.slice(0, pair.indexOf('='));
  const value = pair.slice(pair.indexOf('=') + 1);
  if (value === '' || attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0')) cookies.delete(name);
  else {
    cookies.set(name, value);
    // The token alone, which is what the signature after it signs.
    secrets.add(`the cookie ${name}`, decodeURIComponent(value).replace(/\.[^.]*$/, ''));
  }
}
