import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/index.ts';
import { createMail } from '../../src/portal/index.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type MailServerOptions, mailCertificate, openMailServer, type TestMailServer } from '../support/mail-server.ts';
import { expectOk, memberOf, openBrowser, operator, providerAdmin } from '../support/portal.ts';

const trusted = getCACertificates();
beforeAll(() => setDefaultCACertificates([...trusted, mailCertificate.certificate]));
afterAll(() => setDefaultCACertificates(trusted));

/** Where customers reach the gateway, which is not where the tests do. */
const portal = 'https://gateway.example.com';

/** The mail's text, with what its encoding broke put together again. */
const textOf = (source: string) =>
  source
    .slice(source.indexOf('\n\n') + 2)
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('invitations by mail', () => {
  let gateway: TestGateway | null = null;
  let server: TestMailServer | null = null;
  afterEach(async () => {
    await gateway?.stop();
    await server?.stop();
    gateway = null;
    server = null;
  });

  /** A gateway with a mail server, an account in it, and somebody who owns it. */
  async function start({ url, ...options }: MailServerOptions & { url: (port: number) => string }) {
    server = await openMailServer(options);
    gateway = await startGateway('sqlite', { env: { SMTP_URL: url(server.port), MAIL_FROM: 'gateway@example.com', PUBLIC_URL: portal } });
    const started = gateway;
    const { accountId } = await gateway.customer({ name: 'Äpfel & Söhne' });
    const owner = await memberOf(gateway, accountId, 'owner');
    const boss = Object.assign(await operator(gateway), { account: accountId });
    const invite = async (by = owner, headers = {}, email = 'New@Example.com') => {
      const answer = expectOk(await by.call('POST', '/portal/api/members', { body: { email, role: 'member' }, headers }));
      const { link } = answer.body.data;
      if (link !== null) gateway?.secrets.add('the token of a link', link.split('/').at(-1));
      return answer.body.data;
    };
    /** The token of the link in the mail that came last. */
    const mailed = () => {
      const link = new RegExp(`^${portal}/link/([\\w-]{43})$`, 'm').exec(textOf(server?.mails.at(-1)?.source ?? ''));
      const token = link?.[1] ?? '';
      gateway?.secrets.add('the token of a link', token);
      return token;
    };
    const use = (token: string, body: object = { name: 'New', password: 'a password of mine' }) =>
      openBrowser(started).call('POST', `/portal/api/links/${token}`, { body });
    const isVerified = async (email: string): Promise<boolean> => {
      const { rows } = expectOk(await boss.call('GET', `/portal/api/operator/users?search=${encodeURIComponent(email)}`)).body.data;
      return rows[0].email_verified;
    };
    return { gateway, server, owner, boss, invite, mailed, use, isVerified };
  }

  it('bring a link that works, in plain text', async () => {
    const { server, invite, mailed, use } = await start({ url: (port) => `smtp://127.0.0.1:${port}` });
    const invited = await invite();
    expect(invited).toMatchObject({ mailed: true, link: null });
    expect(server.mails).toMatchObject([{ from: 'gateway@example.com', to: 'new@example.com', encrypted: false, login: null }]);
    const [mail] = server.mails;
    const source = mail?.source ?? '';
    expect(source).toMatch(/^Content-Type: text\/plain/m);
    expect(source).not.toMatch(/multipart|text\/html/);
    const text = textOf(source);
    expect(Buffer.from(text, 'latin1').toString()).toContain('a member of the account "Äpfel & Söhne"');
    expectOk(await use(mailed()));
  });

  it('bring a link to the address that the settings name, whatever Host the asking browser sends', async () => {
    const { server, boss, invite, mailed } = await start({ url: (port) => `smtp://127.0.0.1:${port}` });
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', origin: undefined };
    await invite(undefined, headers);
    expect(mailed()).toMatch(/^[\w-]{43}$/);
    const { link } = await invite(boss, headers, 'other@example.com');
    expect(link).toBe(`${portal}/link/${mailed()}`);
    expect(server.mails.map(({ source }) => textOf(source)).join()).not.toContain('evil');
  });

  it('verify the address of who uses a link that nobody else saw, and of nobody else', async () => {
    const { gateway, boss, owner, invite, mailed, use, isVerified } = await start({ url: (port) => `smtp://127.0.0.1:${port}` });
    await invite(owner, {}, 'mailed@example.com');
    expectOk(await use(mailed()));
    expect(await isVerified('mailed@example.com')).toBe(true);

    // Mailed as well, but an operator saw it.
    expect((await invite(boss, {}, 'shown@example.com')).link).not.toBeNull();
    expectOk(await use(mailed()));
    expect([await isVerified('shown@example.com'), await isVerified(owner.email)]).toEqual([false, false]);

    const other = await gateway.customer();
    const theirs = await memberOf(gateway, other.accountId, 'owner');
    expect((await invite(theirs, {}, owner.email)).link).toBeNull();
    expectOk(await use(mailed(), { password: owner.password }));
    expect(await isVerified(owner.email)).toBe(true);
  });

  it("and a new password that a provider's admin asks for is told to nobody but the person", async () => {
    const { gateway, mailed, use, isVerified } = await start({ url: (port) => `smtp://127.0.0.1:${port}` });
    const admin = await providerAdmin(gateway);
    const { accountId } = await gateway.customer({ providerId: admin.providerId });
    const person = await memberOf(gateway, accountId);
    const path = `/portal/api/operator/users/${person.userId}/password-reset`;
    expect(expectOk(await admin.call('POST', path)).body.data).toMatchObject({ mailed: true, link: null });
    expect(await isVerified(person.email)).toBe(false);
    expectOk(await use(mailed(), { password: 'a password of mine' }));
    expect(await isVerified(person.email)).toBe(true);
  });

  it('show whether the mail server takes mails, except those to addresses that it refuses', async () => {
    const tried: boolean[] = [];
    const send = async (more: MailServerOptions, password: string) => {
      server = await openMailServer({ login: 'u:right', ...more });
      const mail = createMail(
        { host: '127.0.0.1', port: server.port, secure: false, login: { user: 'u', password }, from: 'gateway@example.com' },
        { clock: systemClock, log: { error: () => undefined }, tried: (taken) => void tried.push(taken) },
      );
      const taken = await mail.send('new@example.com', { subject: 'Hello', text: 'Hello' });
      await server.stop();
      return taken;
    };
    expect(await send({}, 'right')).toBe(true);
    expect(tried.splice(0)).toEqual([true]);
    for (const refuses of ['550 nobody of that name', '550 5.1.1 nobody of that name'])
      expect(await send({ refuses }, 'right')).toBe(false);
    expect(tried.splice(0)).toEqual([]);
    expect(await send({ refuses: '554 5.7.1 relay access denied' }, 'right')).toBe(false);
    expect(await send({}, 'wrong')).toBe(false);
    expect(tried).toEqual([false, false]);
  });

  it('and new passwords too', async () => {
    const { gateway, server, owner, boss } = await start({ url: (port) => `smtp://localhost:${port}` });
    const { data } = expectOk(await boss.call('POST', `/portal/api/operator/users/${owner.userId}/password-reset`)).body;
    expect(data.mailed).toBe(true);
    gateway.secrets.add('the token of a link', data.link.split('/').at(-1));
    expect(server.mails).toMatchObject([{ to: owner.email }]);
    expect(textOf(server.mails[0]?.source ?? '')).toContain(data.link);
  });

  it.each<[string, MailServerOptions & { url: (port: number) => string }, string | null]>([
    ['STARTTLS with a login', { tls: 'starttls', login: 'u@x:p/w', url: (port) => `smtp://u%40x:p%2Fw@127.0.0.2:${port}` }, 'u@x:p/w'],
    ['TLS from the first byte', { tls: 'implicit', url: (port) => `smtps://127.0.0.2:${port}` }, null],
  ])('go over %s', async (_, options, login) => {
    const { server, invite } = await start({ host: '127.0.0.2', ...options });
    expect((await invite()).mailed).toBe(true);
    expect(server.mails).toMatchObject([{ encrypted: true, login }]);
  });

  it.each<[string, MailServerOptions & { url: (port: number) => string }]>([
    ['offers no TLS and is another machine', { host: '127.0.0.2', tls: 'none', url: (port) => `smtp://127.0.0.2:${port}` }],
    ['is not who its certificate says', { host: '127.0.0.3', tls: 'starttls', url: (port) => `smtp://127.0.0.3:${port}` }],
    ['does not know the password', { login: 'u:right', url: (port) => `smtp://u:wrong-secret@127.0.0.1:${port}` }],
    ['refuses the recipient', { refuses: '550 nobody of that name', url: (port) => `smtp://127.0.0.1:${port}` }],
    ['is not there', { url: () => 'smtp://127.0.0.1:1' }],
  ])(
    'are shown to an operator all the same when the server %s, and that is logged without the link or the password',
    async (_, options) => {
      const { gateway, server, boss, invite } = await start(options);
      expect(await invite()).toMatchObject({ mailed: false, link: null });
      const invited = await invite(boss);
      expect(invited).toMatchObject({ mailed: false, link: expect.stringContaining('/link/') });
      expect(server.mails).toEqual([]);
      expect(gateway.logged()).toContain('a mail could not be sent');
      expect(gateway.logged()).not.toContain('wrong-secret');
      const token = invited.link.split('/').at(-1);
      expectOk(await openBrowser(gateway).call('GET', `/portal/api/links/${token}`));
    },
  );

  // Without its own bounds, the mail library waits for half a minute.
  it('are not waited for forever', { timeout: 30_000 }, async () => {
    const { server, invite } = await start({ silent: true, url: (port) => `smtp://127.0.0.1:${port}` });
    expect((await invite()).mailed).toBe(false);
    await expect.poll(() => server.connections()).toBe(0);
  });
});
