import { readFileSync } from 'node:fs';
import type { INodeProperties } from 'n8n-workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MessagingGateway } from '../nodes/MessagingGateway/MessagingGateway.node.ts';
import { type RunningGateway, startGateway } from './gateway.mts';
import type { Document } from './message-properties.mts';
import { begun, failure, type Parameters, retried, retriedAfterKill, run } from './n8n.mts';
import { pauses } from './n8n-workflow.mts';

let gateway: RunningGateway;
let instance_id: string;
let credentials: { readonly address: string; readonly apiKey: string };
let to: string;
let recipients = 4_917_012_341_000;

beforeAll(async () => {
  gateway = await startGateway();
  const account = await gateway.account('4930901830');
  instance_id = account.instanceId;
  credentials = { address: `${gateway.address}/`, apiKey: account.apiKey };
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  recipients += 1;
  to = String(recipients);
  pauses.length = 0;
});

const text = (own: string, more: Parameters = {}): Parameters => ({
  ...{ resource: 'message', operation: 'sendText', instance_id, to, text: own },
  ...more,
});
const received = async () => (await gateway.received(credentials.apiKey, to)).map(({ type, content }) => ({ type, content }));
const texts = async () => (await received()).map(({ content }) => (content as { readonly text: string }).text);

describe('every kind', () => {
  const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as Document;
  const kinds = Object.entries(document.paths).flatMap(([path, { post }]) =>
    path.startsWith('/v1/messages/') && post !== undefined
      ? Object.values(post.requestBody.content['application/json'].examples).map(({ value }) => ({ operation: post.operationId, value }))
      : [],
  );
  const properties = new MessagingGateway().description.properties;

  /** The example as somebody fills it into the node. */
  function filledIn(operation: string, example: Readonly<Record<string, unknown>>, input: 'fields' | 'json'): Parameters {
    const shown = properties.filter(({ displayOptions: { show } = {} }) => show?.operation?.includes(operation));
    const parameters: Record<string, unknown> = { resource: 'message', operation, additionalFields: {} };
    for (const [name, value] of Object.entries(example)) {
      const property = shown.find((one) => one.name === name);
      if (name === 'instance_id' || name === 'to') continue;
      if (property === undefined) parameters.additionalFields = { ...(parameters.additionalFields as object), [name]: value };
      else if (Array.isArray(value) && input === 'json') {
        Object.assign(parameters, { [`${name}_input`]: 'json', [`${name}_json`]: JSON.stringify(value) });
      } else parameters[name] = property.type === 'fixedCollection' ? groups(property, value as readonly object[]) : value;
    }
    return { ...parameters, instance_id, to };
  }

  function groups({ options = [] }: INodeProperties, rows: readonly object[]): object {
    const [group] = options;
    if (group === undefined || !('values' in group)) throw new Error('a list has no group');
    return {
      items: rows.map((row) => {
        const entries = group.values.map(({ name, default: empty }) => [name, empty]);
        const given = Object.entries(row).map(([name, value]) => {
          const inner = group.values.find((one) => one.name === name);
          return [name, inner?.type === 'fixedCollection' ? groups(inner, value as readonly object[]) : value];
        });
        return Object.fromEntries([...entries, ...given]);
      }),
    };
  }

  test('of the document has an operation', () => {
    const operations = properties
      .flatMap(({ name, options = [] }) => (name === 'operation' ? options : []))
      .map((one) => 'value' in one && one.value);
    expect(operations).toEqual(expect.arrayContaining(kinds.map(({ operation }) => operation)));
  });

  test.each(kinds.filter(({ value }) => !('url' in value)))('is sent as in its example: $operation', async ({ operation, value }) => {
    const bodies: unknown[] = [];
    for (const input of ['fields', 'json'] as const) {
      const [item] = await run([filledIn(operation, value, input)], { credentials });
      expect(item).toMatchObject({ json: { status: 'sent', replayed: false, to }, pairedItem: { item: 0 } });
      bodies.push((await received()).at(-1));
    }
    expect(bodies[0]).toEqual(bodies[1]);
  });

  test.each(kinds.filter(({ value }) => 'url' in value))(
    'that has a file is asked for as in its example: $operation',
    async ({ operation, value }) => {
      const url = 'http://127.0.0.1:1/file';
      const error = await failure([filledIn(operation, { ...value, url }, 'fields')], { credentials });
      expect(error.context).toMatchObject({ itemIndex: 0, answer: { code: 'invalid_media_url', status: 400, details: { field: 'url' } } });
    },
  );

  test('is refused with the reason when its JSON is none', async () => {
    const poll = {
      resource: 'message',
      operation: 'sendPoll',
      instance_id,
      to,
      question: 'When?',
      options_input: 'json',
      options_json: '[',
    };
    expect((await failure([poll], { credentials })).message).toBe('options is not valid JSON');
  });
});

describe('a message goes out once', () => {
  test('when its answer is lost', async () => {
    const [item] = await run([text('once')], { credentials, faults: ['answer lost'] });
    expect(item?.json).toMatchObject({
      status: 'sent',
      replayed: true,
      idempotency_key: expect.stringMatching(/^n8n:[0-9a-f]{32}:0:0$/),
    });
    expect(await texts()).toEqual(['once']);
  });

  test('when a proxy answers for the gateway, which may come back only later', async () => {
    const [item] = await run([text('later')], { credentials, faults: ['answer lost', { status: 502 }, 'no connection'] });
    expect(item?.json.replayed).toBe(true);
    expect(pauses).toHaveLength(3);
    expect(await texts()).toEqual(['later']);
  });

  test.each([
    ['of this version', begun()],
    ['of older versions', begun(null)],
  ])('when the node is tried again, in the same execution or in a retry of it, by n8n %s', async (_, execution) => {
    const items = ['one', 'two', 'three'].map((own) => text(own));
    const down = Array.from({ length: 5 }, () => 'no connection' as const);
    const onRequest = () => (faults.length === 0 && sent++ === 1 ? faults.push('answer lost', ...down) : 0);
    const faults: ('answer lost' | 'no connection')[] = [];
    let sent = 0;
    const error = await failure(items, { credentials, execution, faults, onRequest });
    expect(error.message).toBe('The gateway did not answer');
    expect(error.context).toMatchObject({ itemIndex: 2, nothingSent: false });

    const again = await run(items, { credentials, execution: retried(execution) });
    expect(again.map(({ json }) => json.replayed)).toEqual([true, true, true]);
    expect((await run(items, { credentials, execution })).every(({ json }) => json.replayed)).toBe(true);
    expect(await texts()).toEqual(['one', 'two', 'three']);
  });

  test('when n8n is killed in the middle of the node, and the execution is retried', async () => {
    const execution = begun();
    await run([text('before the kill')], { credentials, execution });
    const again = await run([text('before the kill'), text('after it')], { credentials, execution: retriedAfterKill(execution) });
    expect(again.map(({ json }) => json.replayed)).toEqual([true, false]);
    expect(await texts()).toEqual(['before the kill', 'after it']);
  });

  test('with a key of its own, whichever execution sends it', async () => {
    const own = text('shipped', { additionalFields: { idempotencyKey: 'order-1042:shipped' } });
    await run([own], { credentials });
    expect((await run([own], { credentials })).map(({ json }) => json.replayed)).toEqual([true]);
    expect(await texts()).toEqual(['shipped']);
  });

  test('when an assistant repeats its call in one execution or in a retry of it', async () => {
    const execution = begun();
    for (const runIndex of [0, 1]) await run([text('from the assistant')], { credentials, execution, runIndex, isTool: true });
    await run([text('another')], { credentials, execution: retried(execution), runIndex: 2, isTool: true });
    await run([text('another')], { credentials, execution, runIndex: 3, isTool: true });
    expect(await texts()).toEqual(['from the assistant', 'another']);
  });
});

describe('messages are different ones', () => {
  test('of each item, each run in a loop, and each execution', async () => {
    const execution = begun();
    const items = [text('the same'), text('the same')];
    await run(items, { credentials, execution });
    await run(items, { credentials, execution, runIndex: 1 });
    await run(items, { credentials });
    expect(await texts()).toHaveLength(6);
  });
});

describe('a retry', () => {
  test('after more than 23 hours is refused if something may have gone out, because keys are forgotten soon', async () => {
    const execution = begun();
    await failure([text('went out'), text('')], { credentials, execution });
    const refused = begun();
    await failure([text('')], { credentials, execution: refused });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 23.5 * 60 * 60 * 1000 });
    try {
      const error = await failure([text('went out'), text('corrected')], { credentials, execution: retried(execution) });
      expect(error.message).toBe('This execution can no longer be retried');
      expect(await run([text('corrected')], { credentials, execution: retried(refused) })).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
    expect(await texts()).toEqual(['went out', 'corrected']);
  });

  test('after more than 23 hours is refused also when one in between only repeated what had gone out', async () => {
    const items = [text('went out'), text('')];
    const execution = begun();
    await failure(items, { credentials, execution });
    const hour = 60 * 60 * 1000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * hour });
    try {
      const second = retried(execution);
      expect((await failure(items, { credentials, execution: second })).context.answer).toMatchObject({ code: 'invalid_request' });
      vi.setSystemTime(Date.now() + 10 * hour);
      expect((await failure(items, { credentials, execution: retried(second) })).message).toBe('This execution can no longer be retried');
    } finally {
      vi.useRealTimers();
    }
    expect(await texts()).toEqual(['went out']);
  });

  test('by an assistant after more than 23 hours is refused only for a call that it made then', async () => {
    const execution = begun();
    await run([text('of the first day')], { credentials, execution, isTool: true });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 23.5 * 60 * 60 * 1000 });
    try {
      await run([text('of the second day')], { credentials, execution, runIndex: 1, isTool: true });
      const error = await failure([text('of the first day')], { credentials, execution, runIndex: 2, isTool: true });
      expect(error.message).toBe('This call can no longer be repeated');
    } finally {
      vi.useRealTimers();
    }
    expect(await texts()).toEqual(['of the first day', 'of the second day']);
  });

  test('with another content of what went out is refused, and sends nothing', async () => {
    const execution = begun();
    await run([text('first')], { credentials, execution });
    const error = await failure([text('edited')], { credentials, execution: retried(execution) });
    expect(error.context.answer).toMatchObject({ code: 'idempotency_key_reused', status: 422 });
    expect(await texts()).toEqual(['first']);
  });
});

describe('errors', () => {
  test('stop the node with the item, the code and the request', async () => {
    const error = await failure([text('fine'), text('x', { to: 'nobody' })], { credentials });
    expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '422', message: expect.stringMatching(/^to must be/) });
    expect(error.context).toMatchObject({ itemIndex: 1, answer: { code: 'invalid_recipient', request_id: expect.any(String) } });
    expect((error as unknown as { readonly description: string }).description).toMatch(/^invalid_recipient\. request [0-9a-f-]{36}\. http/);
  });

  test('of some items are put out as items when the node continues on fail', async () => {
    const output = await run([text('x', { to: 'nobody' }), text('fine')], { credentials, continueOnFail: true });
    expect(output).toEqual([
      {
        json: {
          error: {
            ...{ message: expect.stringMatching(/^to must be/), code: 'invalid_recipient', status: 422 },
            ...{ request_id: expect.any(String), details: { field: 'to' }, idempotency_key: expect.any(String) },
          },
        },
        pairedItem: { item: 0 },
      },
      { json: expect.objectContaining({ status: 'sent' }), pairedItem: { item: 1 } },
    ]);
    expect(await texts()).toEqual(['fine']);
  });

  test('of the limit are waited for as long as the answer says', async () => {
    const limited = { status: 429, headers: { 'retry-after': '7' } };
    expect(await run([text('patient')], { credentials, faults: [limited, limited] })).toHaveLength(1);
    expect(pauses.every((ms) => ms >= 7000 && ms < 7500)).toBe(true);
    expect(pauses).toHaveLength(2);
  });

  test.each(['order', 'order 1042', 'order-1042\n'])('of an own key that is none come before any request: %j', async (idempotencyKey) => {
    const requests: string[] = [];
    const onRequest = (path: string) => requests.push(path);
    const error = await failure([text('x', { additionalFields: { idempotencyKey } })], { credentials, onRequest });
    expect(error).toMatchObject({ name: 'NodeOperationError', message: expect.stringContaining('must be 8 to 255 letters') });
    expect(requests).toEqual([]);
  });

  test('that no wait can cure are not repeated', async () => {
    const error = await failure([text('x')], { credentials: { ...credentials, apiKey: 'mgw_wrong' } });
    expect(error.context.answer).toMatchObject({ code: 'invalid_api_key' });
    expect((await failure([text('x')], { credentials, faults: [{ status: 403 }] })).message).toBe(
      'Answered with 403, but not by the gateway',
    );
    expect(pauses).toEqual([]);
  });

  test('in a cancelled execution are the last request', async () => {
    const stop = new AbortController();
    const items = [text('one'), text('two')];
    const error = await failure(items, { credentials, cancel: stop.signal, onRequest: () => stop.abort() });
    expect(error.message).toBe('The execution was cancelled');
    expect(await texts()).toEqual(['one']);
  });
});

test('where the gateway does not honour keys, nothing is sent a second time', async () => {
  const off = await startGateway({ IDEMPOTENCY: 'off' });
  try {
    const { apiKey, instanceId } = await off.account('4930901831');
    const own = { address: off.address, apiKey };
    const error = await failure([text('once', { instance_id: instanceId })], { credentials: own, faults: ['answer lost'] });
    expect(error.message).toBe('The gateway did not answer');
    expect(await off.received(apiKey, to)).toHaveLength(1);
  } finally {
    await off.stop();
  }
});
