import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptedJson } from '../../src/http/index.ts';
import { allKinds } from '../../src/kinds/index.ts';
import { findRequest } from '../../src/requests/index.ts';
import { outcome } from '../contract/outcome.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { connectAssistant, useTool } from './assistant.ts';

const minute = 60_000;
const docs = join(import.meta.dirname, '..', '..', 'docs');

describe('an assistant over HTTP', () => {
  const clock = createManualClock();
  const { gateway, customer, number } = useGateway({ overrides: { clock } });
  let client: Client;
  beforeAll(async () => {
    client = await connectAssistant(gateway.address, customer.key);
  });
  afterAll(() => client?.close());

  const sendText = (fields: object) => useTool(client, 'send_text', { instance_id: number(), text: 'Hello', ...fields });
  const textsTo = async (to: string) => (await customer.received(to)).length;

  it('is offered every kind with the fields of its endpoint, and the endpoints of numbers', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...allKinds.map(({ type }) => `send_${type}`),
      ...['check_numbers', 'create_instance', 'list_instances', 'get_instance_status', 'get_instance_qr', 'get_instance_qr_status'],
      ...['rename_instance', 'delete_instance'],
    ]);
    for (const kind of allKinds) {
      const tool = tools.find(({ name }) => name === `send_${kind.type}`);
      const { idempotency_key, ...properties } = tool?.inputSchema.properties ?? {};
      const accepted = acceptedJson(kind.schema);
      expect([properties, tool?.inputSchema.required]).toEqual([accepted.properties, accepted.required]);
      expect(idempotency_key).toMatchObject({ type: 'string', minLength: 8, maxLength: 255 });
    }
  });

  it('sees which tools only read and which destroy', async () => {
    const { tools } = await client.listTools();
    const marked = (mark: 'readOnlyHint' | 'destructiveHint') =>
      tools.filter(({ annotations }) => annotations?.[mark]).map(({ name }) => name);
    expect(marked('readOnlyHint')).toEqual(['check_numbers', 'list_instances', 'get_instance_status', 'get_instance_qr_status']);
    expect(marked('destructiveHint')).toEqual(['delete_instance']);
  });

  it('sends as the API does, and the request log has the send', async () => {
    const answer = await sendText({ to: '+49 170 1111111' });
    expect(answer).toMatchObject({
      isError: false,
      envelope: { success: true, data: { to: '491701111111', type: 'text', status: 'sent' } },
      beside: [],
    });
    expect(await textsTo('491701111111')).toBe(1);
    const logged = await waitFor(() => findRequest(gateway.app.store, answer.envelope.request_id));
    expect(logged).toMatchObject({ path: '/v1/messages/text', status: 200, idempotency: 'new' });
  });

  describe('the same call', () => {
    it('soon afterwards is a retry: nothing is sent, and the answer says so', async () => {
      const first = await sendText({ to: '491701111112' });
      clock.advance(9 * minute);
      const again = await sendText({ to: '491701111112' });
      expect(again.envelope.data).toEqual(first.envelope.data);
      expect(again.beside).toEqual([{ type: 'text', text: expect.stringContaining('nothing was sent again') }]);
      expect(await textsTo('491701111112')).toBe(1);
    });

    it('much later is another message', async () => {
      await sendText({ to: '491701111113' });
      clock.advance(21 * minute);
      expect((await sendText({ to: '491701111113' })).beside).toEqual([]);
      expect(await textsTo('491701111113')).toBe(2);
    });

    it('with a new idempotency_key is another message at once, and with the same one never', async () => {
      for (const idempotency_key of ['reminder:1', 'reminder:2', 'reminder:2']) await sendText({ to: '491701111114', idempotency_key });
      clock.advance(60 * minute);
      await sendText({ to: '491701111114', idempotency_key: 'reminder:2' });
      expect(await textsTo('491701111114')).toBe(2);
      const other = await sendText({ to: '491701111114', text: 'Other', idempotency_key: 'reminder:2' });
      expect(other).toMatchObject({ isError: true, envelope: { error: { code: 'idempotency_key_reused' } } });
    });

    it('made twice at the same time is one message', async () => {
      await Promise.all([sendText({ to: '491701111115' }), sendText({ to: '491701111115' })]);
      expect(await textsTo('491701111115')).toBe(1);
    });

    it('after a refusal sends', async () => {
      const created = await useTool(client, 'create_instance', { label: 'later' });
      const { instance_id, qrcode } = created.envelope.data;
      expect((await sendText({ instance_id, to: '491701111116' })).envelope.error.code).toBe('instance_not_connected');
      await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: '491709999991' });
      await customer.reaches(instance_id, 'open');
      expect((await sendText({ instance_id, to: '491701111116' })).envelope.data.status).toBe('sent');
    });
  });

  it('sees the QR code as a picture', async () => {
    const { envelope, beside } = await useTool(client, 'create_instance', { label: 'with a code' });
    expect(envelope.data).toMatchObject({ status: 'connecting', qrcode: { code: expect.any(String) } });
    expect(envelope.data.qrcode.base64).toBeUndefined();
    expect(beside).toEqual([{ type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) }]);
    const polled = await useTool(client, 'get_instance_qr_status', { instance_id: envelope.data.instance_id });
    expect(polled.envelope.data).toMatchObject({ connected: false, rotation_count: 1, exhausted: false });
  });

  it('renames, disconnects and deletes; a misspelled parameter and an unreadable one delete nothing', async () => {
    const { instance_id } = (await useTool(client, 'create_instance')).envelope.data;
    expect((await useTool(client, 'rename_instance', { instance_id, label: 'Desk' })).envelope.data.label).toBe('Desk');
    expect((await useTool(client, 'delete_instance', { instance_id, logoutOnly: true })).envelope.error).toMatchObject({
      code: 'invalid_request',
      details: { field: 'logoutOnly' },
    });
    for (const logout_only of [[], [true], null, {}]) {
      expect((await useTool(client, 'delete_instance', { instance_id, logout_only })).envelope.error).toMatchObject({
        code: 'invalid_request',
        details: { field: 'logout_only' },
      });
    }
    expect((await useTool(client, 'delete_instance', { instance_id, logout_only: true })).envelope.data.disconnected).toBe(true);
    expect((await useTool(client, 'delete_instance', { instance_id })).envelope.data.deleted).toBe(true);
    expect((await useTool(client, 'get_instance_status', { instance_id })).envelope.error.code).toBe('instance_not_found');
  });

  it('checks numbers', async () => {
    const { envelope } = await useTool(client, 'check_numbers', { instance_id: number(), numbers: ['491701230000'] });
    expect(envelope.data.results).toEqual([{ number: '491701230000', reachable: false, network_number: null }]);
  });

  it('reads numbers and the reference as resources', async () => {
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return content !== undefined && 'text' in content ? content.text : '';
    };
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1);
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    for (const uri of uris) expect(await read(uri)).not.toBe('');
    expect(uris).toContain('gateway://docs/openapi');
    expect(await read('gateway://docs/errors')).toContain('`instance_not_connected`');
    expect(JSON.parse(await read('gateway://instances')).data.instances.length).toBeGreaterThan(0);
    expect(JSON.parse(await read(`gateway://instances/${number()}`)).data.status).toBe('open');
    await expect(read('gateway://instances/../../health')).rejects.toThrow('There is no resource');
    await expect(read('gateway://instances/0190a0a0-0000-7000-8000-000000000001')).rejects.toMatchObject({
      code: -32_603,
      data: { success: false, error: { code: 'instance_not_found' } },
    });
  });

  it('reads every page of the documentation, and no other file', async () => {
    const { resources } = await client.listResources();
    const pages = resources.filter(({ uri }) => uri.endsWith('.md'));
    const files = globSync('**/*.md', { cwd: docs });
    expect(pages.map(({ uri }) => uri).toSorted()).toEqual(files.map((file) => `gateway://docs/${file}`).toSorted());
    for (const { uri, title, mimeType } of pages) {
      expect([title, mimeType]).toEqual([expect.stringMatching(/\S/), 'text/markdown']);
      const file = readFileSync(join(docs, uri.slice('gateway://docs/'.length)), 'utf8');
      expect((await client.readResource({ uri })).contents).toEqual([{ uri, mimeType: 'text/markdown', text: file }]);
    }
    const none = [
      '../README.md',
      '..%2fREADME.md',
      'coming-from/../../package.json',
      'openapi.json',
      'toString',
      'whatsapp.md?',
      'WHATSAPP.md',
    ];
    for (const uri of none) await expect(client.readResource({ uri: `gateway://docs/${uri}` })).rejects.toThrow('There is no resource');
  });

  describe('hostile arguments answer as over HTTP', () => {
    it.each<[string, Record<string, unknown>]>([
      ['send_text', {}],
      ['send_text', { instance_id: 7, to: ['1'], text: { a: 1 } }],
      ['send_text', { instance_id: 'x', to: '491701111117', text: 'x'.repeat(5000) }],
      ['send_text', { instance_id: '0190a0a0-0000-7000-8000-000000000001', to: 'nobody', text: 'Hello' }],
      ['send_text', { instance_id: '0190a0a0-0000-7000-8000-000000000001', to: '491701111117', text: 'Hello \ud800' }],
      ['send_poll', { question: 'Q', options: ['a', 'a'], selectable_count: 3 }],
      ['send_image', { instance_id: '0190a0a0-0000-7000-8000-000000000001', to: '491701111117', url: 'http://127.0.0.1/x' }],
      ['check_numbers', { instance_id: '0190a0a0-0000-7000-8000-000000000001', numbers: Array(51).fill('491701111117') }],
    ])('%s %#', async (tool, given) => {
      const path = tool === 'check_numbers' ? '/v1/numbers/check' : `/v1/messages/${tool.slice('send_'.length)}`;
      const { request_id: _, ...expected } = (await customer.call('POST', path, given)).body;
      const answer = await useTool(client, tool, given);
      expect(answer).toMatchObject({ isError: true, envelope: expected });
    });

    it.each<[string, unknown]>([
      ['instance_id is required.', undefined],
      ['instance_id must be a UUID.', '..'],
      ['instance_id must be a UUID.', { toString: 1 }],
    ])('%s', async (message, instance_id) => {
      const answer = await useTool(client, 'get_instance_status', { instance_id });
      expect(answer).toMatchObject({ isError: true, envelope: { error: { code: 'invalid_request', message } } });
    });

    it.each([7, 'short', 'line\r\nbreak', ['a', 'b'], ''])('an idempotency_key of %j is refused', async (idempotency_key) => {
      const answer = await sendText({ to: '491701111117', idempotency_key });
      expect(answer).toMatchObject({
        isError: true,
        envelope: { error: { code: 'invalid_request', details: { field: 'idempotency_key' } } },
      });
    });

    it.each(['send_fax', '__proto__', 'constructor', 'x'.repeat(10_000)])('an unknown tool is refused', async (name) => {
      await expect(client.callTool({ name })).rejects.toThrow(/There is no tool ".{1,100}"/);
    });
  });

  describe('what comes without the SDK', () => {
    const accept = { accept: 'application/json, text/event-stream' };
    const call = (name: string, given: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
    const post = (body: string, key: string | null = customer.key) =>
      gateway.call('POST', '/mcp', { body, headers: accept, ...(key === null ? {} : { key }) });

    it('needs a key before anything is read', async () => {
      expect(outcome(await post('{', null))).toBe('401 missing_api_key');
      expect(outcome(await post('{', 'mgw_abcdefgh_unknown'))).toBe('401 invalid_api_key');
    });

    it('is one JSON object of at most 128 KB', async () => {
      expect(outcome(await post(`{"a":"${'x'.repeat(131_072)}"}`))).toBe('413 payload_too_large');
      for (const body of ['{', '[]', '7', '"x"', 'null', `[${call('list_instances', '{}')}]`])
        expect(outcome(await post(body))).toBe('400 invalid_request');
      expect((await post('{"jsonrpc":"1.0"}')).status).toBe(400);
    });

    it('is nothing to read, and is no session to end', async () => {
      for (const method of ['GET', 'DELETE']) {
        const answer = await gateway.call(method, '/mcp', { key: customer.key });
        expect([answer.status, answer.headers.get('allow'), answer.body.error.code]).toEqual([405, 'POST', 'not_found']);
      }
    });

    it('reaches no prototype', async () => {
      const given = `{"__proto__":{"text":"polluted"},"constructor":{"prototype":{"text":"polluted"}},"instance_id":"${number()}","to":"491701111118"}`;
      const { result } = (await post(call('send_text', given))).body;
      expect(JSON.parse(result.content[0].text).error.message).toBe('text is required.');
    });

    it('is not broken by what is nested deeply', async () => {
      const given = `{"instance_id":"${number()}","to":"491701111119","text":"Hello","more":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
      const answer = await post(call('send_text', given));
      expect([answer.status, answer.body.error?.code]).not.toEqual([500, 'internal_error']);
      expect(JSON.stringify(answer.body)).not.toContain('call stack');
    });

    it('names no idempotency key in a header', async () => {
      const headers = { ...accept, 'idempotency-key': 'the-same-for-all' };
      for (const text of ['one', 'two']) {
        const body = call('send_text', `{"instance_id":"${number()}","to":"491701111120","text":"${text}"}`);
        await gateway.call('POST', '/mcp', { key: customer.key, headers, body });
      }
      expect(await textsTo('491701111120')).toBe(2);
    });
  });

  it('meets the limits of what it calls', async () => {
    const small = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 1 }) });
    const assistant = await connectAssistant(gateway.address, small.key);
    const send = () => useTool(assistant, 'send_text', { instance_id: number(), to: '491701111121', text: 'Hello' });
    // It counts, though the number is another account's.
    expect((await send()).envelope.error.code).toBe('instance_not_found');
    expect((await send()).envelope.error).toMatchObject({
      code: 'rate_limit_exceeded',
      details: { scope: 'messages', limit_per_minute: 1 },
    });
    await assistant.close();
  });
});

describe('with MCP=off', () => {
  const { gateway, customer } = useGateway({ env: { MCP: 'off' } });

  it('there is no such path', async () => {
    for (const method of ['GET', 'POST']) expect(outcome(await gateway.call(method, '/mcp', { key: customer.key }))).toBe('404 not_found');
  });
});
