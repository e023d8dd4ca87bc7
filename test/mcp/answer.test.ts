import { expect, it } from 'vitest';
import { GatewayError, StoreUnavailable } from '../../src/core/index.ts';
import { failureBody } from '../../src/http/index.ts';
import { answer, type Post } from '../../src/mcp/answer.ts';
import type { OfferedTool } from '../../src/mcp/tools.ts';

const inside = new Error("ENOENT: no such file or directory, open '/srv/gateway/docs/faq.md'");
const sendText = {
  operation: { method: 'POST', path: '/v1/messages/text', body: {} },
  sends: true,
  shown: { name: 'send_text' },
} as Partial<OfferedTool> as OfferedTool;

/** What one message is answered with where everything behind it fails. */
async function answerTo(message: object, more: Partial<Post> = {}) {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const { text } = await answer({
    ...{ version: '1.0.0', idempotency: true, headers, tools: new Map([['send_text', sendText]]) },
    call: () => Promise.reject(inside),
    derivedKey: () => Promise.reject(new StoreUnavailable('the disk is full')),
    failure: (error) => failureBody(error, 'the-request', null),
    unexpected: () => new GatewayError('internal_error', 'Something went wrong on our side.'),
    message: { jsonrpc: '2.0', id: 1, ...message },
    ...more,
  });
  return JSON.parse(text);
}

const called = (params: unknown) => answerTo({ method: 'tools/call', params });
const about = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'assistant', version: '1.0.0' } };

it.each([
  [true, 'it is not sent twice', 'sends again'],
  [false, 'sends again', 'it is not sent twice'],
])('with idempotency %s an assistant is told that of a repeated send %s', async (idempotency, said, unsaid) => {
  const { result } = await answerTo({ method: 'initialize', params: about }, { idempotency });
  expect(result.instructions).toContain(said);
  expect(result.instructions).not.toContain(unsaid);
});

it('a resource that cannot be read is answered with the envelope, and with nothing of the inside', async () => {
  const { error } = await answerTo({ method: 'resources/read', params: { uri: 'gateway://instances' } });
  expect(error).toEqual({
    code: -32_603,
    message: expect.stringContaining('Something went wrong on our side.'),
    data: { success: false, error: { code: 'internal_error', message: 'Something went wrong on our side.' }, request_id: 'the-request' },
  });
});

it.each([
  ['tools/call', undefined],
  ['tools/call', { name: 7 }],
  ['tools/call', { name: 'send_text', arguments: [] }],
  ['resources/read', {}],
  ['initialize', { protocolVersion: 1 }],
])('%s with the params %j is refused in our words', async (method, params) => {
  expect((await answerTo({ method, params })).error).toEqual({ code: -32_602, message: 'The params are not those of this method.' });
});

it('a call that asks for a task is done as any other', async () => {
  const send = { name: 'send_text', arguments: { to: '491701111111', text: 'Hello' } };
  const asTask = await called({ ...send, task: { ttl: 60_000 } });
  expect(asTask).toHaveProperty('result');
  expect(asTask).toEqual(await called(send));
});

it('while the store is away, a send is told so', async () => {
  const { result } = await called({ name: 'send_text', arguments: { to: '491701111111', text: 'Hello' } });
  expect(result.isError).toBe(true);
  expect(JSON.parse(result.content[0].text).error).toMatchObject({
    code: 'upstream_unavailable',
    details: { reason: 'store_unavailable' },
  });
});
