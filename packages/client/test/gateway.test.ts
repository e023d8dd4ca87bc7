import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Gateway, isApiError } from '../src/index.ts';
import { type RunningGateway, startGateway } from './gateway.ts';

const nobody = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';

let server: RunningGateway;
let gateway: Gateway;

beforeAll(async () => {
  server = await startGateway();
  gateway = new Gateway({ baseUrl: server.address, apiKey: await server.account(100_000) });
});
afterAll(() => server?.stop());

const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

test('pairing stops when its signal is aborted', async () => {
  const { instance_id } = await gateway.createInstance();
  const stop = new AbortController();
  const pairing = gateway.pair(instance_id, { signal: stop.signal });
  await pairing.next();
  stop.abort(new Error('closed'));
  expect(await failure(pairing.next())).toMatchObject({ message: 'closed' });
  await gateway.deleteInstance(instance_id);
});

test('errors have their code as a type', async () => {
  const error = await failure(gateway.sendText({ instance_id: nobody, to: '491701234567', text: 'x' }));
  if (!isApiError(error, 'instance_not_found')) throw error;
  expect(error.code satisfies 'instance_not_found').toBe('instance_not_found');
  expect(isApiError(error, 'rate_limit_exceeded')).toBe(false);
});

test('a body that is no JSON is refused at once', async () => {
  const error = await failure(gateway.sendText({ instance_id: nobody, to: '491701234567', text: 1n as never }));
  expect(error).toBeInstanceOf(TypeError);
});

test("the page of a proxy is no answer of the gateway's", async () => {
  const page = new Gateway({ baseUrl: '/gateway', fetch: async () => new Response('<h1>Forbidden</h1>', { status: 403 }) });
  expect(await failure(page.sendText({ instance_id: nobody, to: '491701234567', text: 'x' }))).toMatchObject({
    ...{ name: 'NoAnswerError', status: 403, attempts: 1 },
    idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test('a clock that is set does not end a call', async () => {
  const set = vi.spyOn(Date, 'now');
  let asked = 0;
  const repeated = new Gateway({
    ...{ baseUrl: '/gateway', backoffMs: 1 },
    async fetch() {
      asked += 1;
      if (asked > 1) return new Response(JSON.stringify({ success: true, data: { status: 'ok' }, request_id: nobody }));
      set.mockReturnValue(Number.MAX_SAFE_INTEGER);
      return new Response('', { status: 503 });
    },
  });
  try {
    expect(await repeated.getHealth()).toMatchObject({ status: 'ok' });
  } finally {
    set.mockRestore();
  }
});

test('without time limits an answer is waited for however late it is', async () => {
  let asked = 0;
  const patient = new Gateway({
    ...{ baseUrl: '/gateway', timeoutMs: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY, backoffMs: 1 },
    async fetch(_, { signal = null }) {
      asked += 1;
      if (asked === 1) await setTimeout(50, null, signal === null ? {} : { signal });
      return new Response(JSON.stringify({ success: true, data: { status: 'ok' }, request_id: nobody }));
    },
  });
  await patient.getHealth();
  expect(asked).toBe(1);
});

test('what ends while the reader of sendAll is busy is given before the limit is waited for', async () => {
  const [busy, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let left = 2;
  const limited = new Gateway({
    baseUrl: '/gateway',
    async fetch() {
      left -= 1;
      const headers = { 'x-ratelimit-scope': 'messages', 'x-ratelimit-remaining': String(left), 'x-ratelimit-reset': '60' };
      if (left === 0) await busy.promise;
      return new Response(JSON.stringify({ success: true, data: { message_id: 'A' }, request_id: nobody }), { headers });
    },
  });
  const ids = ['order-0', 'order-1', 'order-2'];
  const messages = ids.map((id) => ({ type: 'text' as const, id, instance_id: nobody, to: '491701234567', text: 'x' }));
  const done = { has: () => false, add: (key: string) => key === 'shipped:order-1' && ended.resolve() };
  const given: string[] = [];
  for await (const { message } of limited.sendAll(messages, { job: 'shipped', concurrency: 2, done })) {
    given.push(message.id);
    if (given.length === 2) break;
    busy.resolve();
    await ended.promise;
    await setImmediate();
  }
  expect(given).toEqual(['order-0', 'order-1']);
});

test('what ends while sendAll waits for the next message is given meanwhile', async () => {
  const given = Promise.withResolvers<void>();
  const answer = JSON.stringify({ success: true, data: { message_id: 'A' }, request_id: nobody });
  const quick = new Gateway({ baseUrl: '/gateway', fetch: async () => new Response(answer) });
  async function* queue() {
    const message = { type: 'text' as const, instance_id: nobody, to: '491701234567', text: 'x' };
    yield { ...message, id: 'order-0' };
    await given.promise;
    yield { ...message, id: 'order-1' };
  }
  const ids: string[] = [];
  for await (const { message } of quick.sendAll(queue(), { job: 'shipped' })) {
    ids.push(message.id);
    given.resolve();
  }
  expect(ids).toEqual(['order-0', 'order-1']);
});

test('a reader of sendAll can leave while the next message is waited for', async () => {
  const answer = JSON.stringify({ success: true, data: { message_id: 'A' }, request_id: nobody });
  const quick = new Gateway({ baseUrl: '/gateway', fetch: async () => new Response(answer) });
  async function* queue() {
    yield { type: 'text' as const, instance_id: nobody, to: '491701234567', text: 'x' };
    await new Promise(() => undefined);
  }
  for await (const { result } of quick.sendAll(queue(), { job: 'shipped' })) {
    expect(result).toMatchObject({ message_id: 'A' });
    break;
  }
});

test('what is on its way is awaited when the reader of sendAll leaves and closing the messages fails, and that error is thrown', async () => {
  let [asked, answered] = [0, 0];
  const slow = new Gateway({
    baseUrl: '/gateway',
    async fetch() {
      asked += 1;
      await setTimeout(asked === 1 ? 1 : 50);
      answered += 1;
      return new Response(JSON.stringify({ success: true, data: { message_id: 'A' }, request_id: nobody }));
    },
  });
  async function* cursor() {
    try {
      for (;;) yield { type: 'text' as const, instance_id: nobody, to: '491701234567', text: 'x' };
    } finally {
      await Promise.reject(new Error('The cursor is lost.'));
    }
  }
  const readOne = async () => {
    for await (const _ of slow.sendAll(cursor(), { job: 'newsletter', concurrency: 2 })) return;
  };
  expect(await failure(readOne())).toMatchObject({ message: 'The cursor is lost.' });
  expect([asked, answered]).toEqual([3, 3]);
});
