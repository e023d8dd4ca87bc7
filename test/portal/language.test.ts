import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { openMailServer, type TestMailServer } from '../support/mail-server.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, openBrowser, operator, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { anyStore } from '../support/run-options.ts';
import { waitFor } from '../support/wait-for.ts';

describe('the language of a person', () => {
  const clock = createManualClock();
  let gateway: TestGateway;
  let server: TestMailServer;
  beforeAll(async () => {
    server = await openMailServer();
    const mail = {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'gateway@example.com',
      PUBLIC_URL: 'https://gateway.example.com',
    };
    gateway = await startGateway(anyStore, { env: mail, overrides: { clock } });
  });
  afterAll(async () => {
    await gateway.stop();
    await server.stop();
  });

  const choose = (person: SignedIn, language: unknown, headers = {}) =>
    person.call('PUT', '/portal/api/language', { body: { language }, headers });
  const told = async (person: Pick<SignedIn, 'call'>) => expectOk(await person.call('GET', '/portal/api/session')).body.data.user.language;
  const anOwner = async () => memberOf(gateway, (await gateway.customer({ name: 'Bakery' })).accountId, 'owner');

  it('is none until one is chosen, and then the same in every browser, until it is taken back', async () => {
    const person = await anOwner();
    expect(await told(person)).toBeNull();
    expect(expectOk(await choose(person, 'id')).body.data).toEqual({ language: 'id' });

    const other = openBrowser(gateway);
    expectOk(await other.signIn(person.email, person.password));
    expect(await told(other)).toBe('id');
    expect(await told(await anOwner())).toBeNull();

    expectOk(await choose(person, null));
    expect(await told(other)).toBeNull();
  });

  it.each(['de', 'EN', '', 7, undefined])('is not %j', async (language) => {
    expect(await choose(await anOwner(), language)).toMatchObject(refusal(400, 'invalid_request'));
  });

  it('is not set by a page of another site, and not by nobody', async () => {
    const person = await anOwner();
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await choose(person, 'es', elsewhere)).toMatchObject(refusal(403, 'forbidden'));
    expect(await told(person)).toBeNull();
    const nobody = await openBrowser(gateway).call('PUT', '/portal/api/language', { body: { language: 'es' } });
    expect(nobody).toMatchObject(refusal(401, 'missing_session'));
  });

  /** The subject of the mail to this address that came last. */
  const subject = (to: string) => {
    const source = server.mails.findLast((mail) => mail.to === to)?.source ?? '';
    const [, coded = ''] = /^Subject: (.*(?:\n .*)*)$/m.exec(source) ?? [];
    return coded
      .replaceAll(/\?=\s+=\?/g, '?==?')
      .replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, text: string) => decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%')))
      .replaceAll(/\s+/g, ' ');
  };

  it('is the one of mails to them, whoever causes these', async () => {
    const person = await anOwner();
    const boss = await operator(gateway);
    const reset = async () => {
      const { data } = expectOk(await boss.call('POST', `/portal/api/operator/users/${person.userId}/password-reset`)).body;
      gateway.secrets.add('the token of a link', data.link.split('/').at(-1));
    };
    await reset();
    expect(subject(person.email)).toBe('A new password for the messaging gateway');
    expectOk(await choose(person, 'es'));
    await reset();
    expect(subject(person.email)).toBe('Una contraseña nueva para el gateway de mensajería');
  });

  it('is the one of alerts to their address', async () => {
    const person = await anOwner();
    expectOk(await choose(person, 'pt-BR'));
    const target = expectOk(await person.call('POST', '/portal/api/alerts', { body: { kind: 'mail', address: person.email } })).body.data;
    expectOk(await person.call('POST', `/portal/api/alerts/${target.target_id}/test`));
    await waitFor(() => {
      clock.advance(5_000);
      expect(subject(person.email)).toBe('Alerta de teste');
    });
  });

  it('and for somebody new that of the pages from which they are invited', async () => {
    const person = await anOwner();
    const invite = async (email: string, headers = {}) =>
      expectOk(await person.call('POST', '/portal/api/members', { body: { email, role: 'member' }, headers }));
    await invite('new@example.com', { 'accept-language': 'id' });
    expect(subject('new@example.com')).toBe('Undangan Anda ke gateway pesan');
    await invite('other@example.com');
    expect(subject('other@example.com')).toBe('Your invitation to the messaging gateway');
  });
});
