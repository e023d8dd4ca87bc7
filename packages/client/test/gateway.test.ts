import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, ApiError, Gateway, isApiError, NoAnswerError } from '../src/index.ts';
import { collect } from './collect.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import { linkedInstance } from './linked.ts';

const nobody = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';

let server: RunningGateway;
let proxy: FaultyProxy;
/** What becomes of the next requests; after them everything goes well. */
let faults: (Fault | null)[] = [];
let answers: Answered[] = [];
let gateway: Gateway;
let instance_id: string;

beforeAll(async () => {
  server = await startGateway();
  proxy = await startFaultyProxy({ target: server.address, fault: () => faults.shift() ?? null });
  gateway = new Gateway({
    ...{ baseUrl: `${proxy.address}/`, apiKey: server.account(100_000), backoffMs: 20, timeoutMs: 5000, deadlineMs: 20_000 },
    onAnswer: (answer) => answers.push(answer),
  });
  instance_id = await linkedInstance(gateway, '4930901821');
});
afterAll(async () => {
  await proxy?.close();
  await server?.stop();
});

/** The requests that are made during this, in order. */
async function during(these: (Fault | null)[], work: () => Promise<unknown>): Promise<Answered[]> {
  faults = these;
  answers = [];
  await work();
  return answers;
}

const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

test('has one method for each operation of docs/openapi.json', () => {
  const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  const methods = Object.getOwnPropertyNames(Gateway.prototype).filter((name) => !['constructor', 'pair', 'sendAll'].includes(name));
  expect(methods.toSorted()).toEqual(operations.toSorted());
});

describe('endpoints', () => {
  test('every kind is sent', async () => {
    const to = '4917012345671';
    expect(await gateway.sendText({ instance_id, to, text: 'Hello' })).toMatchObject({ status: 'sent', type: 'text', to });
    await gateway.sendLocation({ instance_id, to, latitude: 52.5, longitude: 13.4 });
    await gateway.sendContact({ instance_id, to, contacts: [{ full_name: 'Ada', phone_number: '442079460958' }] });
    const { message_id } = await gateway.sendPoll({ instance_id, to, question: 'When?', options: ['Today', 'Tomorrow'] });
    await gateway.sendReaction({ instance_id, to, message_id: message_id ?? '', emoji: '👍', from_me: true });
    expect(
      await gateway.sendButtons({ instance_id, to, title: 'Well?', buttons: [{ type: 'reply', id: 'yes', text: 'Yes' }] }),
    ).toMatchObject({
      best_effort: true,
    });
    await gateway.sendList({
      ...{ instance_id, to, title: 'Menu', button_text: 'Open' },
      sections: [{ title: 'Drinks', rows: [{ row_id: 'tea', title: 'Tea' }] }],
    });
    const url = 'http://127.0.0.1:1/file';
    for (const send of [gateway.sendImage, gateway.sendDocument, gateway.sendVideo, gateway.sendAudio, gateway.sendSticker]) {
      expect(await failure(send.call(gateway, { instance_id, to, url }))).toMatchObject({
        code: 'invalid_media_url',
        details: { field: 'url' },
      });
    }
    const { messages } = await gateway.listSandboxMessages({ to, limit: 10 });
    expect(messages.map(({ type }) => type)).toEqual(['text', 'location', 'contact', 'poll', 'reaction', 'buttons', 'list']);
  });

  test('the life of an instance', async () => {
    const { instance_id: own } = await gateway.createInstance({ label: 'Desk' });
    expect((await gateway.listInstances()).instances.map(({ label }) => label)).toContain('Desk');
    expect((await gateway.getInstanceQr(own, { phoneNumber: '+49 170 1234567' })).qrcode?.pairingCode).toBeTruthy();
    expect((await gateway.getInstanceQrStatus(own)).connected).toBe(false);
    expect((await gateway.getInstancePasskey(own)).options).toBeNull();
    expect(await failure(gateway.answerInstancePasskey(own, { credential: {} }))).toMatchObject({ code: 'invalid_request' });
    expect(await failure(gateway.confirmInstancePasskey(own))).toMatchObject({ code: 'invalid_request' });
    expect(await gateway.renameInstance(own, { label: 'Night desk' })).toMatchObject({ label: 'Night desk' });
    expect((await gateway.getInstanceStatus(own)).status).toBe('connecting');
    expect(await gateway.deleteInstance(own, { logoutOnly: true })).toMatchObject({ disconnected: true });
    expect(await gateway.deleteInstance(own)).toEqual({ instance_id: own, deleted: true });
    expect((await gateway.getHealth()).status).toBe('ok');
    expect((await gateway.getReadiness()).status).toBe('ok');
  });

  test('numbers are checked', async () => {
    const { results } = await gateway.checkNumbers({ instance_id, numbers: ['+49 170 0000001'] });
    expect(results).toMatchObject([{ number: '491700000001' }]);
  });
});

describe('pair', () => {
  test('gives the code, and the number once it is scanned', async () => {
    const { instance_id: own } = await gateway.createInstance();
    const steps: string[] = [];
    for await (const step of gateway.pair(own, { intervalMs: 20 })) {
      steps.push(step.type);
      if (step.type === 'code') await gateway.sandboxScan({ code: step.qrcode.code, phone_number: '4930901822' });
      if (step.type === 'linked') expect(step.phoneNumber).toBe('4930901822');
    }
    expect(steps).toEqual(['code', 'linked']);
    expect(await gateway.sandboxUnlink({ phone_number: '4930901822' })).toEqual({ instance_id: own });
    await gateway.deleteInstance(own);
  });

  test('says at once when the number is linked already, and stops when it is told to', async () => {
    const steps = await collect(gateway.pair(instance_id));
    expect(steps).toEqual([{ type: 'linked', phoneNumber: '4930901821' }]);
    const { instance_id: own } = await gateway.createInstance();
    const stop = new AbortController();
    const pairing = gateway.pair(own, { signal: stop.signal });
    await pairing.next();
    stop.abort(new Error('closed'));
    expect(await failure(pairing.next())).toMatchObject({ message: 'closed' });
    await gateway.deleteInstance(own);
  });
});

describe('errors', () => {
  test('have their code as a type, the request id, and a page that explains them', async () => {
    const error = await failure(gateway.sendText({ instance_id: nobody, to: '491701234567', text: 'x' }, { idempotencyKey: 'order-1042' }));
    if (!isApiError(error, 'instance_not_found')) throw error;
    expect(error.code satisfies 'instance_not_found').toBe('instance_not_found');
    expect(error).toMatchObject({ name: 'ApiError', status: 404, idempotencyKey: 'order-1042', attempts: 1 });
    expect(error.requestId).toBe(answers.at(-1)?.requestId);
    expect(error.docUrl).toBe(`${server.address}/docs#error-instance_not_found`);
    expect(isApiError(error, 'rate_limit_exceeded')).toBe(false);
  });

  test('without an answer of the gateway say so', async () => {
    const away = new Gateway({ baseUrl: 'http://127.0.0.1:1', apiKey: 'x', deadlineMs: 50, backoffMs: 10 });
    const error = await failure(away.listInstances());
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ status: null, idempotencyKey: null });
    const page = new Gateway({ baseUrl: '', fetch: async () => new Response('<h1>Forbidden</h1>', { status: 403 }) });
    expect(await failure(page.sendText({ instance_id, to: '491701234567', text: 'x' }))).toMatchObject({
      ...{ name: 'NoAnswerError', status: 403, attempts: 1 },
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });
});

describe('repetition', () => {
  const text = (own: string) => ({ instance_id, to: '4917012345672', text: own });

  test('of a send that was carried out gives its result and sends nothing', async () => {
    const made = await during(['cut after', '502 after', null], () => gateway.sendText(text('once')));
    // The client asks first whether keys are honoured, unless an answer has shown it.
    expect(made.filter(({ status }) => status === 200)).toMatchObject([{ attempts: 3, replayed: true }]);
    const { messages } = await gateway.listSandboxMessages({ to: '4917012345672' });
    expect(messages.filter(({ content }) => content.text === 'once')).toHaveLength(1);
  });

  test('waits on 429 as long as the answer says', async () => {
    const began = performance.now();
    const made = await during(['429'], () => gateway.sendText(text('later')));
    expect(made.map(({ status }) => status)).toEqual([429, 200]);
    expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
    faults = ['429'];
    expect(await failure(gateway.sendText(text('never'), { deadlineMs: 500 }))).toMatchObject({ code: 'rate_limit_exceeded' });
  });

  test('is left out where it would do something twice, and where it cannot help', async () => {
    faults = ['cut after'];
    expect(await failure(gateway.createInstance({ label: 'Once' }))).toBeInstanceOf(NoAnswerError);
    const { instances } = await gateway.listInstances();
    const made = instances.filter(({ label }) => label === 'Once');
    expect(made).toHaveLength(1);
    const refused = await during([], () => failure(gateway.sendText(text(''))));
    expect(refused).toMatchObject([{ status: 400 }]);
    const id = made[0]?.instance_id ?? '';
    expect((await during(['cut after'], () => gateway.deleteInstance(id))).map(({ status }) => status)).toEqual([404]);
  });
});

test('where the gateway does not honour keys, nothing is sent a second time', async () => {
  const off = await startGateway({ IDEMPOTENCY: 'off' });
  const apiKey = off.account(100_000);
  const own = await linkedInstance(new Gateway({ baseUrl: off.address, apiKey }), '4930901823');
  let cuts = 1;
  const between = await startFaultyProxy({ target: off.address, fault: () => (cuts-- > 0 ? 'cut after' : null) });
  try {
    const client = new Gateway({ baseUrl: between.address, apiKey, backoffMs: 10 });
    const error = await failure(client.sendText({ instance_id: own, to: '4917012345673', text: 'once' }));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).not.toBeInstanceOf(ApiError);
    expect((await client.listSandboxMessages({ to: '4917012345673' })).messages).toHaveLength(1);
  } finally {
    await between.close();
    await off.stop();
  }
});
