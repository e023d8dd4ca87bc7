import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { outcome } from '../contract/outcome.ts';
import { someBytes } from '../support/file-server.ts';
import { startGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { expectOk, memberOf, type SignedIn } from '../support/portal.ts';
import { refusal } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

const first = '491701234567';
const second = '491701234568';
const phone = '491710000901';
const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

describe('the sandbox phone in the portal', () => {
  const clock = createManualClock();
  let member: SignedIn;
  let instance_id: string;
  const { gateway, files, customer } = useGateway({ overrides: { clock } });
  beforeAll(async () => {
    member = await memberOf(gateway, customer.accountId);
    instance_id = await customer.linked(phone);
  });
  const ask = (path: string, by = member) => by.call('GET', `/portal/api/sandbox/${path}`);
  const data = async (path: string, by = member) => expectOk(await ask(path, by)).body.data;
  const file = (sha256: string, headers: Record<string, string> = {}) =>
    member.call('GET', `/portal/api/sandbox/files/${sha256}`, { headers });
  const sendFile = async (type: string, bytes: Buffer, mime: string, own = {}) => {
    const url = files.serve(`/${hash('sha1', bytes)}`, { bytes, headers: { 'content-type': mime } });
    expectOk(await customer.send(type, { instance_id, to: second, url, ...own }));
    return (await data(`chats/${second}`)).messages.at(-1);
  };

  it('shows who received what', async () => {
    const sent = expectOk(await customer.send('text', { instance_id, to: first, text: 'hello there' })).body.data;
    await clock.advanceAsync(1000);
    const reply = { question: 'which one?', options: ['this', 'that'], quoted_message_id: sent.message_id, quoted_from_me: true };
    expectOk(await customer.send('poll', { instance_id, to: first, ...reply }));
    const { messages } = await data(`chats/${first}`);
    expect(messages).toEqual((await customer.received(first)).map((message) => ({ ...message, file: null })));
    expect(messages[1]).toMatchObject({ type: 'poll', quoted: { message_id: sent.message_id, from_me: true } });
    expect((await data('contacts')).contacts).toEqual([{ number: first, messages: 2, last: messages[1] }]);
    expect(await data(`chats/${second}`)).toEqual({ messages: [] });
    for (const digits of ['abc', '12345', '0491701234567', '%00'])
      expect(await ask(`chats/${digits}`)).toMatchObject(refusal(400, 'invalid_request', { field: 'digits' }));
  });

  it('shows linked phones and the codes that wait for a scan', async () => {
    const linked = { phone_number: phone, instance_id, linked_at: new Date(clock.now() - 1000).toISOString() };
    const created = (await customer.call('POST', '/v1/instances', {})).body.data;
    expect(await data('phones')).toEqual({
      phones: [linked],
      open_codes: [{ instance_id: created.instance_id, code: created.qrcode.code, expires_at: expect.stringMatching(/Z$/) }],
    });
    const [{ code }] = (await data('phones')).open_codes;
    expectOk(await member.call('POST', '/sandbox/scan', { body: { code, phone_number: '491710000902' } }));
    const after = await data('phones');
    expect(after.open_codes).toEqual([]);
    expect(after.phones[1]).toMatchObject({ phone_number: '491710000902', instance_id: created.instance_id });
    expectOk(await member.call('POST', '/sandbox/unlink', { body: { phone_number: '491710000902' } }));
    expect((await data('phones')).phones).toEqual([linked]);
  });

  it('hands out files as they were delivered, to be shown and played', async () => {
    const { content, file: facts } = await sendFile('video', someBytes, 'video/mp4', { mime_type: 'video/mp4' });
    expect(facts).toMatchObject({ available: true, width: null, height: null, duration_seconds: null, waveform: null });
    const answer = await file(content.sha256);
    expect(answer.status).toBe(200);
    expect(Buffer.from(answer.body)).toEqual(someBytes);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'accept-ranges': 'bytes',
      'content-length': String(someBytes.length),
    });
    const part = await file(content.sha256, { range: 'bytes=1-3' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 1-3/${someBytes.length}`);
    expect(Buffer.from(part.body)).toEqual(someBytes.subarray(1, 4));
    const tail = await file(content.sha256, { range: 'bytes=-2' });
    expect(Buffer.from(tail.body)).toEqual(someBytes.subarray(-2));
    const beyond = await file(content.sha256, { range: `bytes=${someBytes.length}-` });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${someBytes.length}`);
  });

  it.each(['image/svg+xml', 'text/html', 'application/pdf', 'application/xhtml+xml'])(
    'gives a file of type %s away only to be kept',
    async (mime) => {
      const { content } = await sendFile('document', script, mime, { mime_type: mime, filename: 'x.svg' });
      const answer = await file(content.sha256);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('content-disposition')).toBe('attachment');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox");
    },
  );

  it("knows no other account's people and files", async () => {
    const stranger = await gateway.customer();
    const owner = await memberOf(gateway, stranger.accountId, 'owner');
    const { content } = await sendFile('video', someBytes, 'video/mp4', { mime_type: 'video/mp4' });
    expect(await data('contacts', owner)).toEqual({ contacts: [] });
    expect(await data(`chats/${second}`, owner)).toEqual({ messages: [] });
    expect(await data('phones', owner)).toEqual({ phones: [], open_codes: [] });
    expect(outcome(await ask(`files/${content.sha256}`, owner))).toBe('404 not_found');
    for (const name of ['none', 'a'.repeat(64), '%00']) expect(outcome(await file(name))).toBe('404 not_found');
    // A picture's address names the account, since a browser fetches it by itself.
    const picture = (accountId: string) =>
      member.call('GET', `/portal/api/sandbox/files/${content.sha256}?account_id=${accountId}`, {
        account: null,
        headers: { 'x-portal': undefined },
      });
    expect((await picture(customer.accountId)).status).toBe(200);
    expect(outcome(await picture(stranger.accountId))).toBe('403 forbidden');
  });
});

it('is not there when the sandbox is not enabled', async () => {
  const gateway = await startGateway('sqlite', { env: { NETWORKS: 'whatsapp' } });
  const { accountId } = await gateway.customer();
  const member = await memberOf(gateway, accountId);
  for (const path of ['contacts', `chats/${first}`, 'phones', `files/${'a'.repeat(64)}`])
    expect(outcome(await member.call('GET', `/portal/api/sandbox/${path}`))).toBe('404 not_found');
  await gateway.stop();
});
