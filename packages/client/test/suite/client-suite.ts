import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../faulty-proxy.ts';
import { type RunningGateway, startGateway } from '../gateway.ts';
import { deadlineSuite } from './deadline-suite.ts';
import { type Answer, DrivenClient, type Driver } from './driver.ts';
import { pairingSuite } from './pairing-suite.ts';
import { sendAllSuite } from './send-all-suite.ts';
import { sendThroughFaults } from './through-faults.ts';
import { webhookSuite } from './webhook-suite.ts';

const nobody = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';
const timeLimit = 300_000;

/** How the classes of a client are named. */
export interface Names {
  readonly noAnswer: string;
  readonly webhook: string;
  /** The class of a refusal with this code. */
  refusal(code: string): string;
}

interface Instances {
  readonly instances: readonly { readonly instance_id: string; readonly label: string | null }[];
}
interface Received {
  readonly messages: readonly { readonly type: string; readonly content: { readonly text?: string } }[];
}

/** The class that has the name of a code. */
export const classOf = (code: string): string => code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What a client in any language has to do, against the real gateway and through a proxy that goes wrong. */
export function clientSuite(start: () => Driver, { noAnswer, webhook, refusal }: Names, sends: number): void {
  let driver: Driver;
  let server: RunningGateway;
  let proxy: FaultyProxy;
  /** What becomes of the next requests; after them everything goes well. */
  let faults: (Fault | null)[] = [];
  let gateway: DrivenClient;
  let instance_id: string;

  beforeAll(async () => {
    driver = start();
    server = await startGateway();
    proxy = await startFaultyProxy({ target: server.address, fault: () => faults.shift() ?? null });
    const api_key = await server.account(100_000);
    gateway = await DrivenClient.open(driver, { base_url: `${proxy.address}/`, api_key, backoff: 0.02, timeout: 5, deadline: 20 });
    instance_id = await gateway.linkedInstance('4930901821');
  });
  afterAll(async () => {
    await driver?.stop();
    await proxy?.close();
    await server?.stop();
  });

  const texts = async (to: string) =>
    (await gateway.call<Received>('listSandboxMessages', { to })).messages.map(({ content }) => content.text);

  test('has one method for each operation of docs/openapi.json', async () => {
    const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8')) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    const wanted = operations.map((name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    const { result } = await driver.run('methods', {});
    expect(result).toEqual([...wanted, 'pair', 'send_all'].toSorted());
  });

  describe('endpoints', () => {
    test('every kind is sent', async () => {
      const to = '4917012345671';
      const send = { instance_id, to };
      expect(await gateway.call('sendText', { ...send, text: 'Hello 👋' })).toMatchObject({ status: 'sent', type: 'text', to });
      await gateway.call('sendLocation', { ...send, latitude: 52.5, longitude: 13 });
      await gateway.call('sendContact', { ...send, contacts: [{ full_name: 'Ada', phone_number: '442079460958' }] });
      const { message_id } = await gateway.call('sendPoll', { ...send, question: 'When?', options: ['Today', 'Tomorrow'] });
      await gateway.call('sendReaction', { ...send, message_id, emoji: '👍', from_me: true });
      const buttons = [{ type: 'reply', id: 'yes', text: 'Yes' }];
      expect(await gateway.call('sendButtons', { ...send, title: 'Well?', buttons })).toMatchObject({ best_effort: true });
      const sections = [{ title: 'Drinks', rows: [{ row_id: 'tea', title: 'Tea' }] }];
      await gateway.call('sendList', { ...send, title: 'Menu', button_text: 'Open', sections });
      for (const method of ['sendImage', 'sendDocument', 'sendVideo', 'sendAudio', 'sendSticker']) {
        const error = await gateway.refusal(method, { ...send, url: 'http://127.0.0.1:1/file' });
        expect(error).toMatchObject({ type: refusal('invalid_media_url'), code: 'invalid_media_url', details: { field: 'url' } });
      }
      const { messages } = await gateway.call<Received>('listSandboxMessages', { to, limit: 10 });
      expect(messages.map(({ type }) => type)).toEqual(['text', 'location', 'contact', 'poll', 'reaction', 'buttons', 'list']);
      expect(messages[0]?.content.text).toBe('Hello 👋');
    });

    test('the life of an instance', async () => {
      const { instance_id: id } = await gateway.call('createInstance', { label: 'Desk' });
      expect((await gateway.call<Instances>('listInstances')).instances.map(({ label }) => label)).toContain('Desk');
      expect(await gateway.call('getInstanceQr', { id, phone_number: '+49 170 1234567' })).toMatchObject({
        qrcode: { pairingCode: expect.stringMatching(/./) },
      });
      expect(await gateway.call('getInstanceQrStatus', { id })).toMatchObject({ connected: false });
      expect(await gateway.call('getInstancePasskey', { id })).toMatchObject({ options: null });
      expect(await gateway.refusal('answerInstancePasskey', { id, credential: {} })).toMatchObject({ code: 'invalid_request' });
      expect(await gateway.refusal('confirmInstancePasskey', { id })).toMatchObject({ code: 'invalid_request' });
      expect(await gateway.call('renameInstance', { id, label: 'Night desk' })).toMatchObject({ label: 'Night desk' });
      expect(await gateway.call('getInstanceStatus', { id })).toMatchObject({ status: 'connecting' });
      expect(await gateway.call('deleteInstance', { id, logout_only: true })).toMatchObject({ disconnected: true });
      expect(await gateway.call('deleteInstance', { id })).toEqual({ instance_id: id, deleted: true });
      expect(await gateway.call('getHealth')).toMatchObject({ status: 'ok' });
      expect(await gateway.call('getReadiness')).toMatchObject({ status: 'ok' });
    });

    test('numbers are checked', async () => {
      const checked = await gateway.call('checkNumbers', { instance_id, numbers: ['+49 170 0000001'] });
      expect(checked).toMatchObject({ results: [{ number: '491700000001' }] });
    });
  });

  test('pair gives the code, and the number once it is scanned or when it is linked already', async () => {
    const { instance_id: id } = await gateway.call<{ instance_id: string }>('createInstance');
    const linked = { type: 'linked', phone_number: '4930901822' };
    expect(await gateway.pair(id, '4930901822')).toEqual([{ type: 'code', phone_number: null }, linked]);
    expect(await gateway.pair(id)).toEqual([linked]);
    expect(await gateway.call('sandboxUnlink', { phone_number: '4930901822' })).toEqual({ instance_id: id });
    await gateway.call('deleteInstance', { id });
  });

  describe('errors', () => {
    test('have their code as a type, the request id, and a page that explains them', async () => {
      const message = { instance_id: nobody, to: '491701234567', text: 'x', idempotency_key: 'order-1042' };
      const { error, answers } = await gateway.attempt('sendText', message);
      expect(error).toMatchObject({
        type: refusal('instance_not_found'),
        code: 'instance_not_found',
        status: 404,
        idempotency_key: 'order-1042',
        attempts: 1,
        may_have_been_sent: false,
      });
      expect(error?.request_id).toBe(answers.at(-1)?.request_id);
      expect(error?.doc_url).toBe(`${server.address}/docs#error-instance_not_found`);
    });

    test('without an answer of the gateway say so', async () => {
      const away = await DrivenClient.open(driver, { base_url: 'http://127.0.0.1:1', api_key: 'x', deadline: 0.05, backoff: 0.01 });
      expect(await away.refusal('listInstances')).toMatchObject({
        ...{ type: noAnswer, status: null, idempotency_key: null, may_have_been_sent: false },
      });
      const elsewhere = await DrivenClient.open(driver, { base_url: `${server.address}/docs?` });
      expect(await elsewhere.refusal('getHealth')).toMatchObject({ type: noAnswer, status: 200, attempts: 1 });
    });
  });

  describe('repetition', () => {
    const text = (own: string) => ({ instance_id, to: '4917012345672', text: own });
    const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

    test('of a send that was carried out gives its result and sends nothing', async () => {
      faults = ['cut after', '502 after', null];
      const { answers } = await gateway.attempt('sendText', text('once'));
      expect(answers.filter(({ status }) => status === 200)).toMatchObject([{ attempts: 3, replayed: true }]);
      expect((await texts('4917012345672')).filter((one) => one === 'once')).toHaveLength(1);
    });

    test('waits on 429 as long as the answer says', async () => {
      const began = performance.now();
      faults = ['429'];
      expect(statuses((await gateway.attempt('sendText', text('later'))).answers)).toEqual([429, 200]);
      expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
      const full = await startFullGateway();
      try {
        const client = await DrivenClient.open(driver, { base_url: full.address, api_key: 'x', deadline: 20 });
        expect(await client.refusal('sendText', text('never'))).toMatchObject({ code: 'rate_limit_exceeded', attempts: 1 });
      } finally {
        full.close();
      }
    });

    test('waits also on the 429 of a proxy, which has passed nothing on', async () => {
      const began = performance.now();
      faults = ['429 of the proxy'];
      expect((await gateway.attempt('createInstance', { label: 'Later' })).answers).toMatchObject([{ status: 200, attempts: 2 }]);
      expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
      faults = ['long 429 of the proxy'];
      const refusal = await gateway.refusal('sendText', text('never'));
      expect(refusal).toMatchObject({ type: noAnswer, status: 429, may_have_been_sent: false });
    });

    test('is left out where it would do something twice, and where it cannot help', async () => {
      faults = ['cut after'];
      expect(await gateway.refusal('createInstance', { label: 'Once' })).toMatchObject({ type: noAnswer, may_have_been_sent: true });
      const { instances } = await gateway.call<Instances>('listInstances');
      const made = instances.filter(({ label }) => label === 'Once');
      expect(made).toHaveLength(1);
      expect(statuses((await gateway.attempt('sendText', text(''))).answers)).toEqual([400]);
      faults = ['cut after'];
      expect(statuses((await gateway.attempt('deleteInstance', { id: made[0]?.instance_id })).answers)).toEqual([404]);
    });

    test('that is refused says that the message may have been sent by an earlier try', async () => {
      const given = { instance_id, to: 'nobody', text: 'x' };
      faults = ['429'];
      expect(await gateway.refusal('sendText', given)).toMatchObject({ code: 'invalid_recipient', attempts: 2, may_have_been_sent: false });
      faults = ['502 after', '429'];
      expect(await gateway.refusal('sendText', given)).toMatchObject({ code: 'invalid_recipient', attempts: 3, may_have_been_sent: true });
      faults = ['cut after'];
      const { sent } = await gateway.sendAll([{ ...given, type: 'text' }], { job: 'newsletter' });
      expect(sent).toMatchObject([{ error: { code: 'invalid_recipient', may_have_been_sent: true } }]);
    });

    test('of a removal that finds no instance was a success only if an earlier request may have been carried out', async () => {
      faults = ['429'];
      expect(await gateway.refusal('deleteInstance', { id: nobody })).toMatchObject({ code: 'instance_not_found', attempts: 2 });
      const { instance_id: id } = await gateway.call<{ instance_id: string }>('createInstance');
      faults = ['cut after', '429'];
      expect(await gateway.call('deleteInstance', { id })).toEqual({ instance_id: id, deleted: true });
    });

    test('sends nothing a second time where the gateway does not honour keys', async () => {
      const off = await startGateway({ IDEMPOTENCY: 'off' });
      const api_key = await off.account(100_000);
      const direct = await DrivenClient.open(driver, { base_url: off.address, api_key });
      const id = await direct.linkedInstance('4930901823');
      let cuts = 1;
      const between = await startFaultyProxy({ target: off.address, fault: () => (cuts-- > 0 ? 'cut after' : null) });
      try {
        const client = await DrivenClient.open(driver, { base_url: between.address, api_key, backoff: 0.01 });
        const error = await client.refusal('sendText', { instance_id: id, to: '4917012345673', text: 'once' });
        expect(error).toMatchObject({ type: noAnswer, idempotency_key: expect.stringMatching(/^[0-9a-f]{32}$/) });
        expect((await direct.call<Received>('listSandboxMessages', { to: '4917012345673' })).messages).toHaveLength(1);
      } finally {
        await between.close();
        await off.stop();
      }
    });
  });

  test(`${sends} sends through cut connections, 502, 503, 429, silence and two killed servers: none lost, none doubled`, {
    timeout: timeLimit,
  }, async () => {
    const api_key = await server.account(1_000_000);
    const direct = await DrivenClient.open(driver, { base_url: server.address, api_key });
    await sendThroughFaults({
      ...{ gateway: server, sends, instanceId: await direct.linkedInstance('4930901820') },
      async send(base_url, messages) {
        const client = await DrivenClient.open(driver, { base_url, api_key, timeout: 1.5, deadline: 50, backoff: 0.05 });
        const { sent, failure } = await client.sendAll(messages, { job: 'through-faults', concurrency: 32 });
        expect(failure).toBeNull();
        expect(sent.filter(({ error }) => error !== null)).toEqual([]);
        return sent.filter(({ result }) => (result?.message_id ?? '') !== '').length;
      },
      async received(to) {
        const { messages, ...rest } = await direct.call<Received>('listSandboxMessages', { to });
        expect(rest).toEqual({});
        return messages.map(({ content }) => String(content.text));
      },
    });
  });

  pairingSuite(() => driver);
  sendAllSuite(() => driver);
  webhookSuite(() => driver, webhook);
  deadlineSuite(() => driver, noAnswer);
}

/** A gateway that refuses everything for a minute, which is longer than any call may take. */
async function startFullGateway() {
  const error = { code: 'rate_limit_exceeded', message: 'Too many.', details: { retry_after_seconds: 58 } };
  const body = JSON.stringify({ success: false, error, request_id: nobody });
  const server = createServer((_, answer) => {
    answer.writeHead(429, { 'content-type': 'application/json', 'retry-after': '58' }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
