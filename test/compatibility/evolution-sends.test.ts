import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/index.ts';
import { linkIn } from '../../src/compatibility/evolution/fields.ts';
import { sends } from '../../src/compatibility/evolution/sends.ts';
import { findRequest } from '../../src/requests/index.ts';
import { at } from '../support/act.ts';
import { hostileNesting } from '../support/nested.ts';
import { uuidPattern } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { bodies } from './evolution-bodies.ts';

const env = { COMPATIBILITY: 'evolution' };
const chat = (number: string) => `${number}@s.whatsapp.net`;

/** What clients of both versions send besides, and nothing here is done about. */
const ignored = { delay: 1200, linkPreview: false, mentionsEveryOne: false, mentioned: ['491700000009'] };
const quoted = { key: { id: '3EB0C767D097B7C1A2F4', fromMe: true }, message: { conversation: 'Which day?' } };

describe('sending by the paths of Evolution API', () => {
  const { gateway, customer, files, number } = useGateway({ env, plan: 'generous' });
  let contacts = 0;
  const contact = () => `49170${7_000_010 + ++contacts}`;
  const post = (path: string, body: unknown, headers?: Record<string, string>) =>
    customer.call('POST', `/message/${path}/${number()}`, body, headers);
  const file = (name: string) => files.serve(`/${name}`);

  it('every kind arrives, and the answer has the form that clients of it read', async () => {
    for (const { path, body, received, message } of bodies(file)) {
      const to = contact();
      const answer = await post(path, { number: to, ...ignored, ...body });
      expect([path, answer.status, answer.body]).toMatchObject([
        path,
        201,
        {
          key: { remoteJid: chat(to), fromMe: true, id: expect.stringMatching(/\S/) },
          message,
          messageType: Object.keys(message)[0],
          status: 'PENDING',
          instanceId: number(),
        },
      ]);
      expect(Math.abs(answer.body.messageTimestamp - Date.now() / 1000)).toBeLessThan(600);
      expect(await customer.received(to)).toMatchObject([{ message_id: answer.body.key.id, type: received[0], content: received[1] }]);
    }
    expect(new Set(bodies(file).map(({ path }) => path)).add('sendReaction')).toEqual(new Set(Object.keys(sends)));
  });

  it('a reaction goes to the chat of the message it is for, and an empty one removes it', async () => {
    const to = contact();
    const { key } = (await post('sendText', { number: to, text: 'Hello' })).body;
    const reacted = await post('sendReaction', { key, reaction: '🚀' });
    expect(reacted).toMatchObject({
      status: 201,
      body: { key: { remoteJid: chat(to) }, message: { reactionMessage: { key, text: '🚀' } } },
    });
    expect((await post('sendReaction', { reactionMessage: { key, reaction: '' } })).status).toBe(201);
    expect((await customer.received(to)).slice(1)).toMatchObject([
      { type: 'reaction', content: { message_id: key.id, emoji: '🚀', from_me: true } },
      { type: 'reaction', content: { message_id: key.id, emoji: '', from_me: true } },
    ]);
  });

  it.each([
    ['version 2', { text: 'Friday', quoted }],
    ['version 1', { textMessage: { text: 'Friday' }, options: { quoted } }],
  ])('replies as in %s, to the id of a chat', async (_, body) => {
    const to = contact();
    expect((await post('sendText', { number: `${to}:12@s.whatsapp.net`, ...body })).status).toBe(201);
    expect(await customer.received(to)).toMatchObject([{ quoted: { message_id: quoted.key.id, from_me: true } }]);
  });

  const base64 = Buffer.alloc(300, 7).toString('base64');
  it.each([
    ['sendMedia', 'media', { mediatype: 'document', fileName: 'a.pdf', media: base64 }],
    ['sendMedia', 'media', { mediatype: 'image', media: `data:image/png;base64,${base64}` }],
    ['sendMedia', 'media', { mediaMessage: { mediatype: 'image', media: base64 } }],
    ['sendWhatsAppAudio', 'audio', { audio: base64 }],
    ['sendSticker', 'sticker', { sticker: base64 }],
  ])('%s with base64 in %s is a 400 that says what to do instead', async (path, field, body) => {
    const to = contact();
    const refused = await post(path, { number: to, ...body });
    expect(refused).toMatchObject({
      status: 400,
      body: { status: 400, error: 'Bad Request', response: { code: 'invalid_media_url', request_id: expect.stringMatching(uuidPattern) } },
    });
    expect(refused.body.response.message[0]).toMatch(new RegExp(`^${field} must be a link, not a file in base64. Put the file where`));
    const tooLong = await post(path, { number: to, media: 'A'.repeat(140_000) });
    expect(tooLong).toMatchObject({ status: 413, body: { response: { message: [expect.stringContaining('give its link')] } } });
    expect(await customer.received(to)).toEqual([]);
  });

  it.each([`A${' '.repeat(130_000)}!`, `${'A'.repeat(65_000)}${'='.repeat(65_000)}!`])(
    'what only begins like base64 is looked through once',
    (link) => {
      // The processor's time of this process: what else the machine does is not counted.
      const started = process.cpuUsage();
      expect(linkIn(link)).toBe(link);
      expect(process.cpuUsage(started).user / 1000).toBeLessThan(500);
    },
  );

  it.each<[string, unknown, number, string | RegExp]>([
    ['sendText', { number: '491701234567' }, 400, 'text is required.'],
    ['sendText', { text: 'Hello' }, 400, 'number is required.'],
    [
      'sendText',
      { number: '120363020000000000@g.us', text: 'Hello' },
      400,
      /^number must be the phone number of a person; groups, channels, status and LIDs cannot be written to here\.$/,
    ],
    ['sendMedia', { number: '491701234567', media: 'https://example.com/a.png' }, 400, /^mediatype must be one of image, video/],
    ['sendMedia', { number: '491701234567', mediatype: 'image', media: 'ftp://example.com/a.png' }, 400, /^media must/],
    [
      'sendMedia',
      { number: '491701234567', mediatype: 'document', media: 'https://example.com/a', fileName: 'a/b' },
      400,
      /^fileName must/,
    ],
    ['sendPoll', { number: '491701234567', name: 'Which?', values: ['a'] }, 400, /^values must/],
    ['sendReaction', { key: { remoteJid: '491701234567', id: 'no id' }, reaction: '🚀' }, 400, /^key\.id must/],
    [
      'sendButtons',
      { number: '491701234567', title: 'x', buttons: [{ type: 'pix', displayText: 'Pay' }] },
      400,
      /^buttons\[0\]\.type must/,
    ],
    [
      'sendList',
      { number: '491701234567', title: 'x', buttonText: 'y', sections: [{ title: 'z', rows: [{ title: 'a' }] }] },
      400,
      /rowId is/,
    ],
    ['sendText', '[]', 400, /^The body/],
    ['sendText', '{"number"', 400, /JSON/],
  ])('%s with %j is %i and names what is wrong as it is written there', async (path, body, status, message) => {
    const answer = await post(path, body);
    expect([answer.status, answer.body.status]).toEqual([status, status]);
    expect(answer.body.response.message[0]).toMatch(message);
  });

  it.each(hostileNesting)('%s is a 400', async (_what, nested) => {
    for (const path of [`/message/sendText/${number()}`, `/chat/whatsappNumbers/${number()}`, '/instance/create']) {
      const answer = await customer.call('POST', path, `{"instanceName":"deep","number":"491701234567","text":"Hello","more":${nested}}`);
      expect([path, answer.status, answer.body]).toMatchObject([path, 400, { status: 400, response: { code: 'invalid_request' } }]);
      expect(answer.body.response.message[0]).toMatch(/^more.* must /);
    }
  });

  it('a recipient that is not on the network is answered as clients of it expect', async () => {
    const answer = await post('sendText', { number: '491701230000', text: 'Hello' });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      {
        error: 'Bad Request',
        response: { message: [{ jid: chat('491701230000'), exists: false, number: '491701230000' }], code: 'invalid_recipient' },
      },
    ]);
  });

  it('a file that cannot be fetched keeps its status', async () => {
    const answer = await post('sendMedia', { number: contact(), mediatype: 'image', media: files.url('/none.png') });
    expect(answer).toMatchObject({ status: 422, body: { status: 422, response: { code: 'media_fetch_failed' } } });
  });

  it('a wrong key and a missing one are 401, and the path of a number of another account is 404', async () => {
    const path = `/message/sendText/${number()}`;
    const body = { number: contact(), text: 'Hello' };
    expect(await gateway.call('POST', path, { body })).toMatchObject({ status: 401, body: { response: { code: 'missing_api_key' } } });
    const wrong = await gateway.call('POST', path, { key: 'B6D711FCDE4D4FD5936544120E713976', body });
    expect(wrong).toMatchObject({ status: 401, body: { status: 401, error: 'Unauthorized', response: { code: 'invalid_api_key' } } });
    const stranger = await gateway.customer();
    expect(await stranger.call('POST', path, body)).toMatchObject({ status: 404, body: { response: { code: 'instance_not_found' } } });
  });

  it('an Idempotency-Key holds here too, and together with our own paths', async () => {
    const to = contact();
    const headers = { 'idempotency-key': 'order-1042-notice' };
    const body = { number: to, text: 'Hello' };
    const first = await post('sendText', body, headers);
    const again = await post('sendText', { ...body, delay: 500 }, headers);
    expect([first, again].map(({ headers: answered }) => answered.get('idempotency-replayed'))).toEqual(['false', 'true']);
    expect(again.body.key).toEqual(first.body.key);
    const own = await customer.send('text', { instance_id: number(), to, text: 'Hello' }, headers);
    expect(own.body.data.message_id).toBe(first.body.key.id);
    expect(await customer.received(to)).toHaveLength(1);
    expect(await post('sendText', { ...body, text: 'Other' }, headers)).toMatchObject({
      status: 422,
      body: { response: { code: 'idempotency_key_reused' } },
    });
  });

  it('what was sent from a number that is gone is replayed by its id', async () => {
    const id = await customer.linked();
    const body = { number: contact(), text: 'Hello' };
    const headers = { 'idempotency-key': 'order-1043-notice' };
    const first = await customer.call('POST', `/message/sendText/${id}`, body, headers);
    expect((await customer.call('DELETE', `/instance/delete/${id}`)).status).toBe(200);
    expect((await customer.call('POST', `/message/sendText/${id}`, body, headers)).body.key).toEqual(first.body.key);
  });

  it('a request takes one from the rate limit, and one over it is 429 with its headers', async () => {
    const limited = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 2 }) });
    const path = `/message/sendText/${await limited.linked()}`;
    const send = () => limited.call('POST', path, { number: contact(), text: 'Hello' });
    expect((await send()).headers.get('x-ratelimit-remaining')).toBe('1');
    expect((await send()).headers.get('x-ratelimit-remaining')).toBe('0');
    const over = await send();
    expect(over).toMatchObject({
      status: 429,
      body: { status: 429, error: 'Too Many Requests', response: { code: 'rate_limit_exceeded' } },
    });
    expect(over.headers.get('retry-after')).toMatch(/^[0-9]+$/);
  });

  it('a send is once in the log, under the id that the caller has, whoever refused it', async () => {
    const account = await gateway.customer();
    const other = await createKey(gateway.app.store, account.accountId, { label: null }, at(Date.now()));
    const id = await account.linked();
    const send = (body: object) => gateway.call('POST', `/message/sendText/${id}`, { key: other.key, body });
    const answers = [await send({ number: contact(), text: 'Hello' }), await send({ number: contact() }), await send({ number: 'a@g.us' })];
    await Promise.all(gateway.apps.map(({ store }) => store.hot.logged()));
    const rows = await gateway.app.store.db.selectFrom('requests').selectAll().where('key_id', '=', other.id).execute();
    expect(rows.map(({ request_id }) => request_id).sort()).toEqual(answers.map(({ headers }) => headers.get('x-request-id')).sort());
    const byId = new Map(rows.map((row) => [row.request_id, row]));
    const [sent, invalid, untranslated] = answers.map(({ headers }) => byId.get(headers.get('x-request-id') ?? ''));
    expect(sent).toMatchObject({ path: '/v1/messages/text', status: 200, message_type: 'text', instance_id: id });
    expect(await findRequest(gateway.app.store, sent?.request_id ?? '')).toMatchObject({ stages: { validation: expect.any(Number) } });
    expect(invalid).toMatchObject({ path: '/v1/messages/text', status: 400, message_type: 'text', code: 'invalid_request' });
    expect(untranslated).toMatchObject({ path: `/message/sendText/${id}`, status: 400, message_type: 'text', code: 'invalid_request' });
  });

  it('a send by a name with a character that PostgreSQL refuses is in the log like any other', async () => {
    const answer = await customer.call('POST', '/message/sendText/%00', { number: contact(), text: 'Hello' });
    expect(answer.status).toBe(404);
    const record = await waitFor(() => findRequest(gateway.app.store, answer.body.response.request_id));
    expect(record).toMatchObject({ code: 'instance_not_found', error_message: expect.stringMatching(/^The "\\u0000" instance does not/) });
  });

  it('numbers are checked, each under the name that it was asked for by', async () => {
    const check = (numbers: unknown) => customer.call('POST', `/chat/whatsappNumbers/${number()}`, { numbers });
    const answer = await check(['491701234500', '+49 170 1230000', '491701230002@s.whatsapp.net', '491701234500']);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual([
      { jid: chat('491701234500'), exists: true, number: '491701234500' },
      { jid: chat('491701230000'), exists: false, number: '+49 170 1230000' },
      { jid: chat('491701230003'), exists: true, number: '491701230002@s.whatsapp.net' },
      { jid: chat('491701234500'), exists: true, number: '491701234500' },
    ]);
    expect(await check(['491701234500', '491701230001'])).toMatchObject({
      status: 502,
      body: { response: { code: 'upstream_unavailable' } },
    });
    expect(await check(['abc'])).toMatchObject({
      status: 400,
      body: { response: { message: [expect.stringMatching(/^numbers\[0\] must/)] } },
    });
    expect((await check(undefined)).status).toBe(400);
  });

  it('every path is in its document', () => {
    const document = readFileSync('docs/evolution.md', 'utf8');
    for (const [path, { kind, fields }] of Object.entries(sends)) {
      const row = document.split('\n').find((line) => line.includes(`/message/${path}/{instance}`)) ?? '';
      expect(row).toContain(`\`${kind ?? 'image'}\``);
      const own = Object.entries(fields).filter(([ours]) => !['to', 'quoted_message_id', 'quoted_from_me'].includes(ours));
      for (const [, theirs] of own) expect(row).toContain(`\`${theirs}\``);
    }
  });
});
