import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { runInNewContext } from 'node:vm';
import type { IDataObject, IHookFunctions, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MessagingGatewayTrigger } from '../nodes/MessagingGatewayTrigger/MessagingGatewayTrigger.node.ts';
import { type RunningGateway, startGateway } from './gateway.mts';
import { run } from './n8n.mts';

const trigger = new MessagingGatewayTrigger();
const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`;
const all = ['message.delivered', 'message.read', 'message.lost', 'alert', 'test'];

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | undefined;
  readonly secret: string;
  readonly events?: readonly string[];
}

/** What n8n does with a request at the trigger's address: the status of the answer, and the items of the execution that it starts. */
async function deliver({ headers, body, secret: own, events = all }: Delivery): Promise<{ status: number; items: IDataObject[] }> {
  let status = 200;
  const context = {
    getCredentials: async () => ({ secret: own }),
    getRequestObject: () => ({ rawBody: body }),
    getResponseObject: () => ({ status: (code: number) => ({ send: () => (status = code) }) }),
    getHeaderData: () => headers,
    getBodyData: () => JSON.parse(String(body)) as IDataObject,
    getNodeParameter: () => events,
  } as unknown as IWebhookFunctions;
  const { workflowData: [items = []] = [] }: IWebhookResponseData = await trigger.webhook.call(context);
  return { status, items: items.map(({ json }) => json) };
}

function signed(type: string, data: object, by = secret, at = new Date()): Delivery {
  const body = Buffer.from(JSON.stringify({ type, timestamp: '2026-01-15T09:30:00.000Z', data }));
  const signature = new Webhook(by).sign('msg_1', at, body.toString());
  const seconds = String(Math.floor(at.getTime() / 1000));
  return { headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': signature }, body, secret };
}

test('starts the workflow with an item for each event that is wanted', async () => {
  const read = { event: 'message.read', message_id: 'A' };
  const messages = { events: [read, { event: 'message.delivered', message_id: 'B' }] };
  expect(await deliver({ ...signed('messages', messages), events: ['message.read'] })).toEqual({
    status: 200,
    items: [{ ...read, webhook_id: 'msg_1' }],
  });
  const alert = { condition: 'number_needs_person', phase: 'began' };
  expect((await deliver(signed('alerts', { alerts: [alert] }))).items).toEqual([{ event: 'alert', ...alert, webhook_id: 'msg_1' }]);
  expect((await deliver(signed('test', { target_id: 'T' }))).items).toMatchObject([{ event: 'test', target_id: 'T' }]);
  expect(await deliver(signed('of a later version', {}))).toEqual({ status: 200, items: [] });
  expect(await deliver({ ...signed('messages', messages), events: ['alert'] })).toEqual({ status: 200, items: [] });
});

test('gives items of which the README removes those of a repeated delivery, and no others', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, value = ''] = /the value `\{\{ (.+?) \}\}`/.exec(readme) ?? [];
  const alerts = [
    { alert_id: '1', phase: 'began' },
    { alert_id: '1', phase: 'ended' },
    { alert_id: '2', phase: 'began' },
  ];
  const events = [
    { event: 'message.delivered', message_id: 'A' },
    { event: 'message.read', message_id: 'A' },
    { event: 'message.read', message_id: 'B' },
  ];
  const some = [signed('alerts', { alerts }), signed('messages', { events }), signed('test', { target_id: 'T' })];
  const valuesOf = async () =>
    (await Promise.all(some.map(deliver))).flatMap(({ items }) => items.map(($json) => String(runInNewContext(value, { $json }))));
  const values = await valuesOf();
  expect(new Set(values).size).toBe(7);
  expect(await valuesOf()).toEqual(values);
});

test('takes any of several secrets, and nothing that is signed with none of them', async () => {
  const other = `whsec_${Buffer.from('quite another secret').toString('base64')}`;
  const delivery = signed('test', {});
  expect(await deliver({ ...delivery, secret: `${other} ${secret}` })).toMatchObject({ status: 200, items: [{ event: 'test' }] });
  const refused = [
    { ...delivery, secret: other },
    { ...delivery, secret: '' },
    { ...delivery, secret: 'whsec_' },
    { ...delivery, body: Buffer.from(`${delivery.body} `) },
    { ...delivery, body: undefined },
    { ...delivery, headers: { ...delivery.headers, 'webhook-id': 'msg_2' } },
    { ...delivery, headers: { ...delivery.headers, 'webhook-signature': 'v1,' } },
    { ...delivery, headers: {} },
    signed('test', {}, secret, new Date(Date.now() - 301_000)),
    signed('test', {}, secret, new Date(Date.now() + 301_000)),
  ];
  for (const one of refused) expect(await deliver(one)).toEqual({ status: 401, items: [] });
});

test('says when what was entered cannot be a secret', async () => {
  const { checkExists } = trigger.webhookMethods.default;
  const context = (own: unknown) => ({ getCredentials: async () => ({ secret: own }), getNode: () => ({}) }) as unknown as IHookFunctions;
  expect(await checkExists.call(context(secret))).toBe(true);
  for (const own of ['', undefined, 'mgw_key', `${secret} x`])
    await expect(checkExists.call(context(own))).rejects.toThrow(/begins with whsec_/);
  const { testSecret } = trigger.methods.credentialTest;
  expect((await testSecret.call({}, { data: { secret } })).status).toBe('OK');
  expect((await testSecret.call({}, { data: { secret: 'x' } })).status).toBe('Error');
});

test('has the events of the document', () => {
  const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
    readonly components: {
      readonly schemas: { readonly MessageEvent: { readonly properties: { readonly event: { readonly examples: string[] } } } };
    };
  };
  const { examples } = document.components.schemas.MessageEvent.properties.event;
  expect(all.filter((name) => name.startsWith('message.')).toSorted()).toEqual(examples.toSorted());
  const { options = [] } = trigger.description.properties.find(({ name }) => name === 'events') ?? {};
  expect(options.map((one) => 'value' in one && one.value).toSorted()).toEqual(all.toSorted());
});

let gateway: RunningGateway;
let receiver: Server;
const deliveries: Omit<Delivery, 'secret'>[] = [];
beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    deliveries.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  gateway = await startGateway({ MEDIA_ALLOW_HOSTS: '127.0.0.1' });
});
afterAll(async () => {
  await gateway?.stop();
  receiver?.close();
});

test('takes what the gateway delivers about a message of the node', async () => {
  const { accountId, apiKey, instanceId } = await gateway.account('4930901850');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`;
  const words = ['--webhook', url, '--account', accountId, '--conditions', 'none', '--events', 'message.delivered'];
  const { secret: made } = await gateway.command('alert', 'create', ...words);
  const message = { resource: 'message', operation: 'sendText', instance_id: instanceId, to: '491701234561', text: 'Hello' };
  const sent: unknown[] = [];
  // The gateway notices a new webhook within two seconds.
  await vi.waitFor(
    async () => {
      const [item] = await run([message], { credentials: { address: gateway.address, apiKey } });
      sent.push(item?.json.message_id);
      expect(deliveries).not.toEqual([]);
    },
    { timeout: 30_000, interval: 200 },
  );
  const [delivery] = deliveries;
  if (delivery === undefined) throw new Error('nothing was delivered');
  const { status, items } = await deliver({ ...delivery, secret: String(made) });
  expect(status).toBe(200);
  expect(items[0]).toMatchObject({ event: 'message.delivered', message_id: expect.toBeOneOf(sent) });
});
