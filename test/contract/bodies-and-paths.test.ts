import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { findRequest } from '../../src/requests/index.ts';
import { exchange } from '../faults/raw-connection.ts';
import type { Answer } from '../support/gateway.ts';
import { nodesOfGateway } from '../support/run-options.ts';
import { useGateway } from '../support/use-gateway.ts';
import { waitFor } from '../support/wait-for.ts';
import { outcome, refusedField } from './outcome.ts';

const limit = 131_072;

describe('bodies and paths', () => {
  const { gateway, customer, number } = useGateway();

  const post = (body: unknown, headers: Record<string, string> = {}, path = '/v1/messages/text') =>
    customer.call('POST', path, body, headers);
  const valid = (fields: object = {}) => ({ instance_id: number(), to: '491701234567', text: 'Hello', ...fields });

  /** A request with bytes as they are, which fetch would dress up. */
  async function raw(
    bytes: Buffer | string,
    headers: Record<string, string>,
    path = '/v1/messages/text',
    method = 'POST',
  ): Promise<Answer> {
    const sent = request(gateway.address + path, { method, headers: { apikey: customer.key, ...headers } });
    sent.end(bytes);
    const [response] = await once(sent, 'response');
    const body = JSON.parse(await readText(response));
    return { status: response.statusCode, headers: new Headers(response.headers), body };
  }

  describe('unknown paths and wrong methods are 404 and need no key', () => {
    it.each([
      ['POST', '/'],
      ['GET', '/v1'],
      ['GET', '/nothing'],
      ['POST', '/v1/messages'],
      ['POST', '/v1/messages/fax'],
      ['POST', '/v1/keys'],
      ['POST', '/v1/media'],
      ['GET', '/v1/messages/3EB0000000000000000000'],
      ['GET', '/v1/messages/text/3EB0000000000000000000/status'],
      ['POST', '/v1/webhooks'],
      ['GET', '/v1/events'],
      ['POST', '/v2/messages/text'],
      ['POST', '/v1/messages/text/'],
      ['POST', '/V1/messages/text'],
      ['POST', '//v1/messages/text'],
      ['GET', '/v1/messages/text'],
      ['PUT', '/v1/messages/text'],
      ['PATCH', '/v1/messages/text'],
      ['DELETE', '/v1/messages/text'],
      ['OPTIONS', '/v1/messages/text'],
      ['GET', '/v1/numbers/check'],
      ['PUT', '/v1/instances'],
      ['POST', '/v1/instances/0190a0a0-0000-7000-8000-000000000001/status'],
      ['POST', '/health'],
    ])(
      '%s %s [media.no-upload service.paths key.no-keys result.final send.post events.none errors.not-found version.path paths.unknown]',
      async (method, path) => {
        for (const options of [{}, { key: customer.key }, { key: 'mgw_unknown_key' }]) {
          const answer = await gateway.call(method, path, options);
          expect(outcome(answer)).toBe('404 not_found');
          expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
          expect(answer.headers.get('idempotency-replayed')).toBeNull();
        }
      },
    );

    it('HEAD of a path that has no GET, without a body [paths.unknown]', async () => {
      const answer = await gateway.call('HEAD', '/v1/messages/text');
      expect(answer.status).toBe(404);
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    });

    it('whatever the body is [paths.unknown]', async () => {
      const path = '/v1/messages/fax';
      expect(outcome(await post('{broken', {}, path))).toBe('404 not_found');
      expect(outcome(await raw('a=b', { 'content-type': 'application/x-www-form-urlencoded' }, path))).toBe('404 not_found');
      expect(outcome(await post('x'.repeat(limit + 1), {}, path))).toBe('404 not_found');
    });
  });

  describe('a body that is not JSON is 400 invalid_request', () => {
    it.each([
      ['text/plain', 'text/plain'],
      ['a form', 'application/x-www-form-urlencoded'],
      ['nonsense', 'nonsense'],
    ])('Content-Type: %s [body.content-type body.refused]', async (_, type) => {
      const answer = await raw(JSON.stringify(valid()), { 'content-type': type });
      expect(outcome(answer)).toBe('400 invalid_request');
      expect(answer.body.error.message).toContain('Content-Type: application/json');
    });

    it('no Content-Type [body.content-type body.refused]', async () => {
      expect(outcome(await raw(JSON.stringify(valid()), {}))).toBe('400 invalid_request');
    });

    it.each([
      ['broken', '{"instance_id":'],
      ['two values', '{}{}'],
      ['trailing comma', '{"a":1,}'],
      ['single quotes', "{'a':1}"],
      ['a word', 'hello'],
      ['an array', '[]'],
      ['an array of bodies', JSON.stringify([{}])],
      ['null', 'null'],
      ['a string', '"text"'],
      ['a number', '7'],
      ['true', 'true'],
      ['nothing', ''],
    ])('%s [service.json body.json body.refused]', async (_, body) => {
      for (const path of ['/v1/messages/text', '/v1/numbers/check', '/v1/instances']) {
        const answer = await raw(body, { 'content-type': 'application/json' }, path);
        expect(outcome(answer)).toBe('400 invalid_request');
        expect(answer.body.error.message).not.toMatch(/unexpected|position|token|zod|fastify|fst_/i);
      }
    });

    it('no body at all [body.refused]', async () => {
      expect(outcome(await customer.call('POST', '/v1/messages/text'))).toBe('400 invalid_request');
    });
  });

  it.each<[string, Record<string, string>]>([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }],
    ['text', { 'content-type': 'text/plain; charset=utf-8', 'content-length': '0' }],
    ['nothing, in chunks', { 'transfer-encoding': 'chunked' }],
  ])('takes an empty body that is called %s for none [body.content-type]', async (_, headers) => {
    const { instance_id } = (await customer.call('POST', '/v1/instances', {})).body.data;
    expect(outcome(await raw('', headers, `/v1/instances/${instance_id}`, 'DELETE'))).toBe('200');
  });

  it('takes JSON with a charset and with any letter case in the Content-Type [body.content-type]', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      expect(outcome(await raw(JSON.stringify(valid()), { 'content-type': type }))).toBe('200');
    }
  });

  describe('128 KB', () => {
    const padded = (bytes: number) => {
      const bare = JSON.stringify(valid({ pad: '' }));
      return bare.replace('"pad":""', `"pad":"${'x'.repeat(bytes - bare.length)}"`);
    };

    it('131072 bytes are accepted, 131073 are 413 [body.too-large body.size]', async () => {
      expect(padded(limit)).toHaveLength(limit);
      expect(outcome(await post(padded(limit)))).toBe('200');
      expect(outcome(await post(padded(limit + 1)))).toBe('413 payload_too_large');
    });

    it('are counted in bytes, and without a Content-Length too [body.bytes]', async () => {
      const body = JSON.stringify(valid({ pad: '漢'.repeat(limit / 3) }));
      expect(outcome(await post(body))).toBe('413 payload_too_large');
      expect(outcome(await raw(body, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }))).toBe(
        '413 payload_too_large',
      );
    });

    it('are judged before the body is looked at [order.size]', async () => {
      expect(outcome(await post('x'.repeat(limit + 1)))).toBe('413 payload_too_large');
      for (const type of ['text/plain', 'nonsense', ''])
        expect(outcome(await raw('x'.repeat(limit + 1), { 'content-type': type }))).toBe('413 payload_too_large');
    });

    it('hold on every path with a body [body.size]', async () => {
      for (const [method, path] of [
        ['POST', '/v1/messages/list'],
        ['POST', '/v1/numbers/check'],
        ['POST', '/v1/instances'],
        ['PATCH', `/v1/instances/${number()}`],
      ] as const) {
        expect(outcome(await customer.call(method, path, padded(limit + 1)))).toBe('413 payload_too_large');
      }
    });
  });

  describe('unknown extra fields are ignored', () => {
    it('whatever they are called [body.unknown-fields]', async () => {
      const to = '491701234001';
      const body = `{"__proto__":{"text":"forged","polluted":true},"constructor":{"prototype":{"polluted":true}},"prototype":1,"toString":"x",
        "type":"image","hasOwnProperty":null,"instance_id":"${number()}","to":"${to}","text":"Hello","nested":{"__proto__":{"polluted":true}}}`;
      expect(outcome(await post(body))).toBe('200');
      expect((await customer.received(to)).map(({ content }) => content)).toEqual([{ text: 'Hello' }]);
      expect({}).not.toHaveProperty('polluted');
    });

    it('however deep they are [body.unknown-fields]', async () => {
      const depth = 60_000;
      const body = `{"instance_id":"${number()}","to":"491701234001","text":"Hello","deep":${'['.repeat(depth)}{"__proto__":1}${']'.repeat(depth)}}`;
      expect(outcome(await post(body))).toBe('200');
    });

    it('and stand for no field', async () => {
      const body = `{"instance_id":"${number()}","to":"491701234001","__proto__":{"text":"forged"}}`;
      expect(refusedField(await post(body))).toMatchObject({ outcome: '400 invalid_request', field: 'text' });
    });

    it('in lists too [body.unknown-fields]', async () => {
      const to = '491701234002';
      const body = { instance_id: number(), to, contacts: [{ full_name: 'Ada', phone_number: '442079460958', nickname: 'A' }], more: [1] };
      expect(outcome(await post(body, {}, '/v1/messages/contact'))).toBe('200');
      expect((await customer.received(to))[0].content).toEqual({ contacts: [{ full_name: 'Ada', phone_number: '442079460958' }] });
    });
  });

  // A balancer of connections may lose an answer that comes before the body was read.
  if (nodesOfGateway === 1) {
    it('takes a body of many megabytes without choking on it [body.too-large]', async () => {
      const body = valid({ pad: 'x'.repeat(20 * limit) });
      for (let i = 0; i < 5; i++) {
        expect(outcome(await post(body))).toBe('413 payload_too_large');
        expect(outcome(await gateway.call('POST', '/v1/messages/text', { body }))).toBe('401 missing_api_key');
        expect(outcome(await post(body, {}, '/v1/messages/fax'))).toBe('404 not_found');
      }
    });
  }

  describe('validation errors', () => {
    it('name every field with its position [errors.position errors.details]', async () => {
      const answer = await post({ instance_id: 7, text: 'x'.repeat(4097) });
      expect(outcome(answer)).toBe('400 invalid_request');
      const { message, details } = answer.body.error;
      expect(details.field).toBe('instance_id');
      expect(message).toContain('instance_id must be');
      expect(details.errors.map((error: { field: string }) => error.field)).toEqual(['instance_id', 'to', 'text']);
      for (const error of details.errors) expect(error).toEqual({ field: error.field, message: expect.stringContaining(error.field) });
    });

    it('count lengths in code points [text.code-points]', async () => {
      expect(outcome(await post(valid({ text: '𝔸'.repeat(4096) })))).toBe('200');
      expect(refusedField(await post(valid({ text: '𝔸'.repeat(4097) })))).toMatchObject({ field: 'text' });
    });
  });

  it('answers pipelined requests whole and in their order, also one that expects 100 Continue', async () => {
    const head = (...lines: string[]) => Buffer.from([...lines, 'host: gateway', '', ''].join('\r\n'));
    const { answers, rest } = await exchange(new URL(gateway.address), [
      head('GET /v1/instances HTTP/1.1', `apikey: ${customer.key}`),
      // Refused before the first one is answered.
      head('GET /nothing HTTP/1.1', 'expect: 100-continue'),
    ]);
    expect(answers.map(({ status, body }) => [status, JSON.parse(body).success])).toEqual([
      [200, true],
      [404, false],
    ]);
    expect(rest).toBe('');
  });

  // Node reads these, and the router knows none of them.
  it.each([
    'PRI *\r\n\r\n',
    'PRI *x\r\n\r\n',
    'DESCRIBE /health RTSP/1.0\r\n\r\n',
    'SETUP /v1/messages/text RTSP/1.0\r\n\r\n',
    'FLUSH *\r\n\r\n',
  ])('a method that no route can have is 404: %j [paths.unknown]', async (bytes) => {
    const { answers } = await exchange(new URL(gateway.address), [Buffer.from(bytes)], { end: true });
    const [answer] = answers.map(
      ({ status, headers, body }): Answer => ({ status, headers: new Headers(headers), body: JSON.parse(body) }),
    );
    if (answer === undefined) throw new Error('no answer');
    expect(outcome(answer)).toBe('404 not_found');
    expect(await waitFor(() => findRequest(gateway.app.store, answer.body.request_id))).toMatchObject({
      code: 'not_found',
      status: 404,
    });
  });

  it('answers what is no HTTP with the envelope too, and no library word [request-id.every errors.no-leak]', async () => {
    const { hostname, port } = new URL(gateway.address);
    const socket = connect(Number(port), hostname);
    socket.write('NONSENSE\r\n\r\n');
    const response = await readText(socket);
    const [head = '', body = ''] = response.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const headers = new Headers(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    );
    expect(outcome({ status: 400, headers, body: JSON.parse(body) })).toBe('400 invalid_request');
    expect(body).not.toMatch(/HPE_|ERR_/);
  });
});
