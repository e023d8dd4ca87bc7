import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { outcome } from '../contract/outcome.ts';
import { at } from '../support/act.ts';
import { auditOf } from '../support/audit.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { openMailServer, type TestMailServer } from '../support/mail-server.ts';
import { type Browser, expectOk, memberOf, openBrowser, operator, personAt, providerAdmin, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { makeUnreadable } from '../support/refused-writes.ts';
import { anyStore } from '../support/run-options.ts';

const own = 'https://gateway.example.com';
const north = 'https://messages.north.example';
const south = 'https://south.example:8443';

describe('brands of providers', () => {
  let mails: TestMailServer;
  let gateway: TestGateway;
  let boss: SignedIn;
  let northern: SignedIn & { providerId: string };
  let southern: SignedIn & { providerId: string };
  beforeAll(async () => {
    mails = await openMailServer();
    gateway = await startGateway(anyStore, {
      env: { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'gateway@example.com', PUBLIC_URL: own },
    });
    boss = await operator(gateway);
    northern = await providerAdmin(gateway);
    southern = await providerAdmin(gateway);
    await brand(northern.providerId, { base_address: north, base_confirmed: true });
    await brand(southern.providerId, { base_address: south, base_confirmed: true });
  });
  afterAll(async () => {
    await gateway.stop();
    await mails.stop();
  });

  const pathOf = (providerId: string) => `/portal/api/operator/providers/${providerId}/brand`;
  const change = (providerId: string, body: object, by: SignedIn = boss) => by.call('PATCH', pathOf(providerId), { body });
  const brand = async (providerId: string, body: object, by?: SignedIn) => expectOk(await change(providerId, body, by)).body.data;
  const upload = (picture: Uint8Array | string, by: SignedIn = northern) =>
    by.call('PUT', `${pathOf(northern.providerId)}/logo`, {
      body: { picture: typeof picture === 'string' ? picture : Buffer.from(picture).toString('base64') },
    });
  /** What a browser gets that comes to this host. */
  const atHost = (host: string, path: string, browser: Browser = openBrowser(gateway)) =>
    browser.call('GET', path, { headers: { host, accept: 'text/html' } });
  const shownAt = async (host: string) => expectOk(await atHost(host, '/portal/api/brand')).body.data;
  const nothing = { name: null, colour: null, logo: null };
  const customerOf = async (providerId: string) => {
    const customer = await gateway.customer();
    await updateAccount(gateway.app.store, customer.accountId, { providerId }, at(gateway.clock.now()));
    return customer;
  };
  /** The mail that came last, with what its encoding broke put together again. */
  const lastMail = () =>
    (mails.mails.at(-1)?.source ?? '')
      .replace(/=\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const keepToken = (mail: string) => {
    const [, token = ''] = /\/link\/([\w-]{43})/.exec(mail) ?? [];
    gateway.secrets.add('the token of a link', token);
  };

  it('are set by the admins of the provider, and their address by operators alone', async () => {
    const wanted = {
      name: 'North & Sons',
      colour: '#0A7B83',
      sender_name: 'North',
      reply_to: 'Help@North.example',
      mail_intro: 'Good day,\r\nthis is North.',
      mail_footer: 'North Ltd, 1 Pole Street',
    };
    const entries = await auditOf(gateway.app.store, async () => {
      expect(await brand(northern.providerId, wanted, northern)).toEqual({
        ...wanted,
        colour: '#0a7b83',
        reply_to: 'help@north.example',
        mail_intro: 'Good day,\nthis is North.',
        provider_id: northern.providerId,
        provider_name: expect.any(String),
        logo: null,
        base_address: north,
        base_confirmed: true,
      });
    });
    expect(entries).toMatchObject([{ action: 'provider.brand', actor_id: northern.userId, provider_id: northern.providerId }]);
    expect(expectOk(await northern.call('GET', pathOf(northern.providerId))).body.data.name).toBe('North & Sons');
    for (const [field, value] of [
      ['base_address', 'https://taken.example'],
      ['base_confirmed', true],
    ] as const)
      expect(await change(northern.providerId, { [field]: value }, northern)).toMatchObject(refusal(403, 'forbidden', { field }));
    expect(outcome(await change(southern.providerId, { name: 'Mine' }, northern))).toBe('404 not_found');
    expect(outcome(await southern.call('GET', pathOf(northern.providerId)))).toBe('404 not_found');
    const owner = await memberOf(gateway, (await customerOf(northern.providerId)).accountId, 'owner');
    expect(outcome(await owner.call('GET', pathOf(northern.providerId)))).toBe('403 forbidden');
    expect(outcome(await change(northern.providerId, { name: 'Mine' }, owner))).toBe('403 forbidden');
    await brand(southern.providerId, { name: 'South' });
  });

  it('are what everybody sees at the host of their provider, and nowhere else', async () => {
    const answer = await atHost('messages.north.example', '/portal/api/brand');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(answer.body.data).toEqual({ name: 'North & Sons', colour: '#0a7b83', logo: null });
    expect(await shownAt('MESSAGES.north.example:443')).toMatchObject({ name: 'North & Sons' });
    expect(await shownAt('south.example:8443')).toEqual({ name: 'South', colour: null, logo: null });
    for (const host of [
      'gateway.example.com',
      'south.example',
      'north.example',
      'messages.north.example.evil.example',
      'messages.north.example@evil',
      '127.0.0.1',
    ])
      expect(await shownAt(host), host).toEqual(nothing);
    for (const path of ['/', '/sign-in', '/numbers', '/no/such/page']) {
      const { body, headers } = await atHost('messages.north.example', path);
      expect(body).toContain('<title>North &amp; Sons</title>');
      expect(headers.get('content-security-policy')).toContain("script-src 'self';");
      expect((await atHost('gateway.example.com', path)).body).toContain('<title>Messaging Gateway</title>');
    }
  });

  it('are in the docs page and the OpenAPI document, with their address', async () => {
    expect((await atHost('messages.north.example', '/docs')).body).toContain('<title>North &amp; Sons API</title>');
    expect((await atHost('gateway.example.com', '/docs')).body).toContain('<title>Messaging Gateway API</title>');
    const { body } = await atHost('messages.north.example', '/openapi.json');
    expect(body).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: north }],
      info: { title: 'North & Sons API', contact: { name: 'North & Sons', url: north, email: 'help@north.example' } },
    });
    const other = await atHost('evil.example', '/openapi.json');
    expect(other.body).toMatchObject({ servers: [{ url: own }], info: { title: 'Messaging Gateway API' } });
    expect(other.body.info).not.toHaveProperty('contact');
  });

  it('follow the account after the sign-in, whatever host the person came by', async () => {
    const owner = await memberOf(gateway, (await customerOf(northern.providerId)).accountId, 'owner');
    for (const host of ['gateway.example.com', 'south.example:8443', 'evil.example'])
      expect(expectOk(await owner.call('GET', '/portal/api/session', { headers: { host } })).body.data).toMatchObject({
        brand: { name: 'North & Sons', colour: '#0a7b83' },
        base_url: north,
      });
    expect(expectOk(await northern.call('GET', '/portal/api/session')).body.data.brand.name).toBe('North & Sons');
    expect(
      expectOk(await boss.call('GET', '/portal/api/session', { headers: { host: 'messages.north.example' } })).body.data,
    ).toMatchObject({
      brand: null,
      base_url: own,
    });
    // The sign-in works at the provider's own address.
    const browser = openBrowser(gateway);
    const body = { email: owner.email, password: owner.password };
    const signed = await browser.call('POST', '/portal/auth/sign-in', { body, headers: { host: 'messages.north.example', origin: north } });
    expect(outcome(signed)).toBe('200');
  });

  it('are in mails, whose links begin with their own address and never with that of a forged host', async () => {
    const invite = async (providerId: string, host: string) => {
      const { accountId } = await customerOf(providerId);
      const body = { email: `new-${accountId}@example.com`, role: 'owner', account_id: accountId };
      const answer = expectOk(await boss.call('POST', '/portal/api/operator/invitations', { body, headers: { host } }));
      expect(answer.body.data.mailed).toBe(true);
      const mail = lastMail();
      keepToken(mail);
      return { mail, link: answer.body.data.link as string };
    };
    const { mail, link } = await invite(northern.providerId, 'evil.example');
    expect(mail).toMatch(/^From: North <gateway@example\.com>$/m);
    expect(mail).toMatch(/^Reply-To: help@north\.example$/m);
    expect(mail).toMatch(/^Subject: Your invitation to North & Sons$/m);
    expect(mail).toMatch(/Good day,\nthis is North\.\n\nHello,.*you have been invited to North & Sons as an owner/s);
    expect(mail).toMatch(/\n\nNorth Ltd, 1 Pole Street\s*$/);
    expect(mail).toContain(`${north}/link/`);
    expect(mail).not.toMatch(/evil|gateway\.example\.com/);
    expect(link.startsWith(`${north}/link/`)).toBe(true);
    const other = await invite('default', 'messages.north.example');
    expect(other.mail).toContain(`${own}/link/`);
    expect(other.mail).not.toMatch(/North|north/);

    // A new password: of whom it is for, not of who asks or where.
    const member = await memberOf(gateway, (await customerOf(southern.providerId)).accountId);
    expectOk(
      await boss.call('POST', `/portal/api/operator/users/${member.userId}/password-reset`, {
        body: {},
        headers: { host: 'evil.example' },
      }),
    );
    const reset = lastMail();
    keepToken(reset);
    expect(reset).toMatch(/^From: South <gateway@example\.com>$/m);
    expect(reset).toContain(`${south}/link/`);
  });

  it('that cannot be read keep links and accounts from being made, so that trying again makes no second one', async () => {
    const customer = await customerOf(northern.providerId);
    const owner = await memberOf(gateway, customer.accountId, 'owner');
    const number = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    const { db } = gateway.app.store;
    const count = async () => {
      const tables = ['one_time_links', 'scan_links', 'accounts'] as const;
      return Promise.all(tables.map(async (table) => (await db.selectFrom(table).select('id').execute()).length));
    };
    const calls = [
      [owner, '/portal/api/members', { email: 'unmade@example.com', role: 'member' }],
      [northern, '/portal/api/operator/accounts', { name: 'Unmade', owner_email: 'unmade@example.com' }],
      [boss, `/portal/api/operator/users/${owner.userId}/password-reset`, {}],
      [owner, `/portal/api/numbers/${number}/scan-link`, {}],
    ] as const;
    const before = await count();
    const unreadable = gateway.apps.map(({ store }) => makeUnreadable(store, 'brands'));
    for (const [by, path, body] of calls)
      expect([path, outcome(await by.call('POST', path, { body }))]).toEqual([path, '502 upstream_unavailable']);
    for (const one of unreadable) one.end();
    expect(await count()).toEqual(before);
    for (const [by, path, body] of calls) expectOk(await by.call('POST', path, { body }));
  });

  it('have an address only once an operator has confirmed it, and again after each change', async () => {
    const { providerId } = await providerAdmin(gateway);
    const address = 'https://later.example';
    const host = new URL(address).host;
    expect(await brand(providerId, { name: 'Later', base_address: `${address}/` })).toMatchObject({
      base_address: address,
      base_confirmed: false,
    });
    expect(await shownAt(host)).toEqual(nothing);
    const admin = await personAt(gateway, { role: 'provider_admin', providerId });
    expect(expectOk(await admin.call('GET', '/portal/api/session')).body.data.base_url).toBe(own);
    expect((await brand(providerId, { base_confirmed: true })).base_confirmed).toBe(true);
    expect(await shownAt(host)).toMatchObject({ name: 'Later' });
    expect(await brand(providerId, { base_address: 'https://moved.example' })).toMatchObject({ base_confirmed: false });
    expect([await shownAt(host), await shownAt('moved.example')]).toEqual([nothing, nothing]);
    expect(outcome(await change(providerId, { base_address: north }))).toBe('409 conflict');
    expect(outcome(await change(providerId, { base_address: own }))).toBe('409 conflict');
    expect(await brand(providerId, { base_address: null })).toMatchObject({ base_address: null, base_confirmed: false });
    expect(outcome(await change(providerId, { base_confirmed: true }))).toBe('400 invalid_request');
  });

  it('hold nothing that could be more than text, a colour or a host', async () => {
    const bad: [string, unknown][] = [
      ...['<script>alert(1)</script>', '"North" <evil@example.com>', 'a\nBcc: evil@example.com', 'x'.repeat(101), '', 7].flatMap(
        (value): [string, unknown][] => [
          ['name', value],
          ['sender_name', value],
        ],
      ),
      ...['red', '#fff', '#0a7b83;}', 'url(//evil)', 'var(--x)', '#gggggg', `#${'0'.repeat(30)}`].map((value): [string, unknown] => [
        'colour',
        value,
      ]),
      ...['nobody', 'a@b\r\nBcc: c@d.example', 'a@b.example, c@d.example'].map((value): [string, unknown] => ['reply_to', value]),
      ...['a\u0000b', 'x'.repeat(1001), '  '].map((value): [string, unknown] => ['mail_intro', value]),
      ...[
        'javascript:alert(1)',
        'ftp://north.example',
        'https://north.example/path',
        'https://north.example?x',
        'https://user:pw@north.example',
        'https://[::1]',
        'https://127.0.0.1',
        'https://2130706433',
        'https://*.example',
        'north.example',
        'https://north',
      ].map((value): [string, unknown] => ['base_address', value]),
    ];
    for (const [field, value] of bad)
      expect(await change(northern.providerId, { [field]: value }), `${field}: ${value}`).toMatchObject(
        refusal(400, 'invalid_request', { field }),
      );
    // What a replacement text or an attribute would take for more than text.
    const { providerId } = await providerAdmin(gateway);
    await brand(providerId, { name: "$& $` O'Neill & Co", base_address: 'https://odd.example', base_confirmed: true });
    const { body } = await atHost('odd.example', '/sign-in');
    expect(body).toContain('<title>$&amp; $` O&#39;Neill &amp; Co</title>');
    expect(body.match(/<meta name="brand" content="([^"]*)"/)?.[1]).toContain('$&amp; $` O&#39;Neill &amp; Co');
    expect(body.match(/<script/g)).toHaveLength((await atHost('gateway.example.com', '/sign-in')).body.match(/<script/g).length);
  });

  it('have a logo, encoded anew, that is served under what it is', async () => {
    const photo = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#0a7b83' } })
      .withExif({ IFD0: { Copyright: 'a secret of the camera' } })
      .jpeg()
      .toBuffer();
    const { logo } = expectOk(await upload(photo)).body.data;
    expect(logo).toMatch(/^\/portal\/brand\/[0-9a-f]{64}\.png$/);
    const response = await fetch(`${gateway.address}${logo}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const png = Buffer.from(await response.arrayBuffer());
    expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 512, height: 171 });
    expect(png.includes('a secret of the camera')).toBe(false);
    expect(await shownAt('messages.north.example')).toMatchObject({ logo });
    expect((await atHost('messages.north.example', '/sign-in')).body).toContain(`<link rel="icon" href="${logo}" type="image/png" />`);
    expect((await atHost('messages.north.example', '/docs')).body).toContain(`<link rel="icon" href="${logo.slice(1)}" type="image/png">`);
    for (const format of ['png', 'webp'] as const) expect(outcome(await upload(await sharp(photo)[format]().toBuffer()))).toBe('200');
    expectOk(await northern.call('DELETE', `${pathOf(northern.providerId)}/logo`));
    expect(await shownAt('messages.north.example')).toMatchObject({ logo: null });
    expect((await fetch(`${gateway.address}${logo}`)).status).toBe(404);
    for (const path of ['x.png', `${'0'.repeat(64)}.png`, '..%2f..%2fpackage.json'])
      expect((await fetch(`${gateway.address}/portal/brand/${path}`)).status).toBe(404);
  });

  it('have no logo that is hostile', async () => {
    const png = await sharp({ create: { width: 5000, height: 5000, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const hostile: [string, Uint8Array][] = [
      ['a script in SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ['SVG behind the head of a PNG', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('<svg/>')])],
      ['too many pixels', png],
      [
        'half of a picture',
        (
          await sharp({ create: { width: 50, height: 50, channels: 3, background: '#f00' } })
            .png()
            .toBuffer()
        ).subarray(0, 60),
      ],
      ['another format', gif],
      ['a page', Buffer.from('<html><body>hello</body></html>')],
      ['nothing', Buffer.alloc(0)],
    ];
    for (const [what, picture] of hostile)
      expect(await upload(picture), what).toMatchObject(refusal(400, 'invalid_request', { field: 'picture' }));
    expect(await upload('not base64!')).toMatchObject(refusal(400, 'invalid_request', { field: 'picture' }));
    expect(await upload(Buffer.alloc(600 * 1024))).toMatchObject(refusal(400, 'invalid_request', { field: 'picture' }));
    const tooLarge = await upload(Buffer.alloc(2 * 1024 * 1024));
    expect(tooLarge).toMatchObject(refusal(413, 'payload_too_large'));
    expect(tooLarge.body.error.message).toBe('The request body is over 1024 KB (1048576 bytes).');
    // Nothing of them is left on the disk.
    expect(await readdir(join(gateway.app.config.dataDir, 'media'))).toEqual([]);
  });
});
