import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { type MailServerOptions, mailCertificate, openMailServer, type TestMailServer } from '../support/mail-server.ts';
import { expectOk, memberOf, openBrowser, operator } from '../support/portal.ts';

const trusted = getCACertificates();
beforeAll(() => setDefaultCACertificates([...trusted, mailCertificate.certificate]));
afterAll(() => setDefaultCACertificates(trusted));

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
    gateway = await startGateway('sqlite', { env: { SMTP_URL: url(server.port), MAIL_FROM: 'gateway@example.com' } });
    const { accountId } = await gateway.customer({ name: 'Äpfel & Söhne' });
    const owner = await memberOf(gateway, accountId, 'owner');
    const invite = async () => {
      const answer = expectOk(await owner.call('POST', '/portal/api/members', { body: { email: 'New@Example.com', role: 'member' } }));
      gateway?.secrets.add('the token of a link', answer.body.data.link.split('/').at(-1));
      return answer.body.data;
    };
    return { gateway, server, owner, invite };
  }

  it('bring a link that works, in plain text', async () => {
    const { gateway, server, invite } = await start({ url: (port) => `smtp://127.0.0.1:${port}` });
    const invited = await invite();
    expect(invited.mailed).toBe(true);
    expect(server.mails).toMatchObject([{ from: 'gateway@example.com', to: 'new@example.com', encrypted: false, login: null }]);
    const [mail] = server.mails;
    const source = mail?.source ?? '';
    expect(source).toMatch(/^Content-Type: text\/plain/m);
    expect(source).not.toMatch(/multipart|text\/html/);
    const text = textOf(source);
    expect(Buffer.from(text, 'latin1').toString()).toContain('a member of the account "Äpfel & Söhne"');
    expect(text).toContain(invited.link);
    const token = invited.link.split('/').at(-1);
    const body = { name: 'New', password: 'a password of mine' };
    expectOk(await openBrowser(gateway).call('POST', `/portal/api/links/${token}`, { body }));
  });

  it('and new passwords too', async () => {
    const { gateway, server, owner } = await start({ url: (port) => `smtp://localhost:${port}` });
    const boss = await operator(gateway);
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
    ['refuses the recipient', { refuses: true, url: (port) => `smtp://127.0.0.1:${port}` }],
    ['is not there', { url: () => 'smtp://127.0.0.1:1' }],
  ])('are shown all the same when the server %s, and that is logged without the link or the password', async (_, options) => {
    const { gateway, server, invite } = await start(options);
    const invited = await invite();
    expect(invited).toMatchObject({ mailed: false, link: expect.stringContaining('/link/') });
    expect(server.mails).toEqual([]);
    expect(gateway.logged()).toContain('a mail could not be sent');
    expect(gateway.logged()).not.toContain('wrong-secret');
    const token = invited.link.split('/').at(-1);
    expectOk(await openBrowser(gateway).call('GET', `/portal/api/links/${token}`));
  });

  it('are not waited for forever', { timeout: 30_000 }, async () => {
    const { server, invite } = await start({ silent: true, url: (port) => `smtp://127.0.0.1:${port}` });
    expect((await invite()).mailed).toBe(false);
    await expect.poll(() => server.connections()).toBe(0);
  });
});
