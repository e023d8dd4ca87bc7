import { describe, expect, it } from 'vitest';
import { refusal, uuidPattern } from '../support/refusal.ts';
import { useGateway } from '../support/use-gateway.ts';

describe('instances by the paths of Evolution API', () => {
  const { gateway, customer } = useGateway({ env: { COMPATIBILITY: 'evolution' }, plan: 'generous' });
  let phones = 0;
  const phone = () => `4917300${String(100 + phones++)}`;
  const create = (instanceName: unknown, more: object = {}) =>
    customer.call('POST', '/instance/create', { instanceName, integration: 'WHATSAPP-BAILEYS', ...more });
  const scan = (code: string, phone_number: string) => customer.call('POST', '/sandbox/scan', { code, phone_number });
  const fetched = async (query = '') => JSON.parse((await customer.call('GET', `/instance/fetchInstances${query}`)).body);
  const missing = { status: 404, error: 'Not Found', response: { message: [expect.stringContaining('does not exist')] } };

  it('a program creates, links, sends from, logs out and deletes a number by the name that it gave', async () => {
    const created = await create('Front desk', { qrcode: true, token: customer.key, webhook: { url: 'https://example.com/hook' } });
    expect(created).toMatchObject({
      status: 201,
      body: {
        instance: { instanceName: 'Front desk', instanceId: expect.stringMatching(uuidPattern), status: 'connecting' },
        hash: customer.key,
        qrcode: { base64: expect.stringMatching(/^data:image\/png;base64,/), code: expect.stringMatching(/\S/), pairingCode: null },
      },
    });
    const { instanceId } = created.body.instance;
    const path = (action: string) => `/instance/${action}/Front%20desk`;
    const connect = await customer.call('GET', path('connect'));
    expect(connect).toMatchObject({ status: 200, body: { base64: expect.any(String), code: expect.any(String), pairingCode: null } });
    expect((await customer.call('GET', path('connectionState'))).body).toEqual({
      instance: { instanceName: 'Front desk', state: 'connecting' },
    });

    const number = phone();
    expect((await scan(connect.body.code, number)).status).toBe(200);
    await customer.reaches(instanceId, 'open');
    expect((await customer.call('GET', path('connectionState'))).body).toEqual({ instance: { instanceName: 'Front desk', state: 'open' } });
    expect((await customer.call('GET', path('connect'))).body).toEqual({ instance: { instanceName: 'Front desk', state: 'open' } });
    expect((await customer.call('POST', '/message/sendText/Front%20desk', { number: '491709000021', text: 'Hello' })).status).toBe(201);
    const [shown] = await fetched('?instanceName=Front%20desk');
    expect(shown).toMatchObject({
      ...{ id: instanceId, name: 'Front desk', connectionStatus: 'open', number, ownerJid: `${number}@s.whatsapp.net` },
      instance: { instanceName: 'Front desk', instanceId, owner: `${number}@s.whatsapp.net`, status: 'open' },
    });

    const loggedOut = await customer.call('DELETE', path('logout'));
    expect(loggedOut).toMatchObject({
      status: 200,
      body: { status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } },
    });
    expect((await customer.call('GET', path('connectionState'))).body.instance.state).toBe('close');
    const refused = await customer.call('POST', '/message/sendText/Front%20desk', { number: '491709000021', text: 'Hello' });
    expect(refused).toMatchObject({ status: 409, body: { response: { code: 'instance_not_connected' } } });
    expect((await customer.call('DELETE', path('delete'))).body).toMatchObject({ status: 'SUCCESS', error: false });
    expect(await customer.call('GET', path('connectionState'))).toMatchObject({ status: 404, body: missing });
    expect((await customer.call('GET', `/v1/instances/${instanceId}/status`)).status).toBe(404);
  });

  it('a code to type comes with a number, when it is created and when it is connected', async () => {
    const created = await create('typed', { qrcode: true, number: '491701112223' });
    expect(created.body.qrcode.pairingCode).toMatch(/\S/);
    const connect = await customer.call('GET', '/instance/connect/typed?number=491701112223');
    expect(connect.body.pairingCode).toMatch(/\S/);
    expect((await create('untyped', { qrcode: false })).body).not.toHaveProperty('qrcode');
    expect((await create('no group', { number: '120363020000000000@g.us' })).status).toBe(400);
  });

  it('a name that is taken is 403', async () => {
    expect((await create('taken')).status).toBe(201);
    expect(await create('taken')).toMatchObject({
      status: 403,
      body: { status: 403, error: 'Forbidden', response: { message: [expect.stringContaining('already in use')] } },
    });
    expect(await fetched('?instanceName=taken')).toHaveLength(1);
  });

  it('of requests for one name at the same moment one gets it', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('at once')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403]);
    const { instanceId } = answers.find(({ status }) => status === 201)?.body.instance ?? {};
    expect(await fetched('?instanceName=at%20once')).toMatchObject([{ id: instanceId }]);
  });

  it('a label of two numbers is a 400 that names both, and their ids still work', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) ids.push((await customer.call('POST', '/v1/instances', { label: 'twice' })).body.data.instance_id);
    const ambiguous = await customer.call('GET', '/instance/connectionState/twice');
    expect(ambiguous).toMatchObject({ status: 400, body: { response: { code: 'invalid_request' } } });
    for (const id of ids) {
      expect(ambiguous.body.response.message[0]).toContain(id);
      expect((await customer.call('GET', `/instance/connectionState/${id.toUpperCase()}`)).status).toBe(200);
    }
  });

  it('an id that no number has may be a label, and a number without a label has its id as name', async () => {
    const label = '0198c0de-0000-7000-8000-000000000000';
    expect((await create(label)).status).toBe(201);
    expect((await customer.call('GET', `/instance/connectionState/${label}`)).status).toBe(200);
    const unnamed = (await customer.call('POST', '/v1/instances', {})).body.data.instance_id;
    expect(await fetched(`?instanceId=${unnamed}`)).toMatchObject([{ id: unnamed, name: unnamed, ownerJid: null }]);
  });

  it.each<[string, object, RegExp]>([
    ['no name', { instanceName: undefined }, /^instanceName must/],
    ['a blank name', { instanceName: '  ' }, /^instanceName must/],
    ['a long name', { instanceName: 'x'.repeat(61) }, /^instanceName must/],
    [
      'a key of its own',
      { token: '429683C4C977415CAAFCCE10F7D57E11' },
      /^token cannot be chosen, because keys are created in the portal only/,
    ],
    ['the Business Platform', { integration: 'WHATSAPP-BUSINESS' }, /^integration must be WHATSAPP-BAILEYS/],
    ['a proxy', { proxyHost: '10.0.0.1', proxyPort: '80' }, /^proxyHost cannot be set here/],
    ["version 1's proxy", { proxy: { host: '10.0.0.1', port: '80' } }, /^proxy cannot be set here/],
  ])('creating one with %s is a 400 that says what to do instead', async (_, change, message) => {
    const answer = await create('unlike', change);
    expect(answer.status).toBe(400);
    expect(answer.body.response.message[0]).toMatch(message);
    expect(await fetched()).not.toContainEqual(expect.objectContaining({ name: 'unlike' }));
  });

  it.each([
    ['GET', '/instance/connect/nobody'],
    ['GET', '/instance/connectionState/nobody'],
    ['GET', '/instance/connectionState/%00'],
    ['DELETE', '/instance/logout/nobody'],
    ['DELETE', '/instance/delete/nobody'],
    ['POST', '/message/sendText/nobody'],
    ['POST', '/chat/whatsappNumbers/nobody'],
  ])('%s %s is 404', async (method, path) => {
    const body = method === 'POST' ? { number: '491701234567', text: 'Hello', numbers: ['491701234567'] } : undefined;
    expect(await customer.call(method, path, body)).toMatchObject({ status: 404, body: missing });
  });

  it('a path that cannot be decoded, and one that is not here, are answered as by our own API', async () => {
    for (const path of ['/instance/connectionState/%zz', '/group/create/taken'])
      expect(await customer.call('GET', path)).toMatchObject(refusal(404, 'not_found'));
  });

  it('fetchInstances shows what the account has, and 404 for a name that it has not', async () => {
    const stranger = await gateway.customer();
    expect(JSON.parse((await stranger.call('GET', '/instance/fetchInstances')).body)).toEqual([]);
    expect((await customer.call('GET', '/instance/fetchInstances?instanceName=nobody')).status).toBe(404);
    expect((await gateway.call('GET', '/instance/fetchInstances', { key: 'wrong' })).status).toBe(401);
  });

  it('an account that has as many numbers as it may gets no other', async () => {
    const full = await gateway.customer({ plan: await gateway.plan({ instanceLimit: 0 }) });
    expect(await full.call('POST', '/instance/create', { instanceName: 'one more' })).toMatchObject({
      status: 403,
      body: { response: { code: 'instance_limit_reached', details: { instance_limit: 0, limit_source: 'plan' } } },
    });
  });

  it('without the setting the paths are as unknown as any other', async () => {
    await gateway.restart({ env: { COMPATIBILITY: '' } });
    const answer = await customer.call('POST', '/message/sendText/taken', { number: '491701234567', text: 'Hello' });
    expect(answer).toMatchObject(refusal(404, 'not_found'));
    expect(await customer.call('GET', '/instance/fetchInstances')).toMatchObject(refusal(404, 'not_found'));
  });
});
