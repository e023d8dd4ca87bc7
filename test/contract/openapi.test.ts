import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/core/index.ts';
import { allKinds } from '../../src/kinds/index.ts';
import { pagePaths } from '../../src/portal/page-paths.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { anyStore } from '../support/run-options.ts';
import { type Operation, operationsOf, resolve, type SpecDocument, type SpecSchema } from './spec.ts';

/** Every route of every server made while these tests run, as `METHOD /path/{id}`. */
const routes = new Set<string>();
/** What is served beside the API and no part of it; `internal` is what servers ask each other. */
const besideTheApi = /^GET \/(docs|samples|openapi\.json|\*$)|^[A-Z]+ \/((portal|assets|internal)\/|mcp$)/;
const pages = new Set(pagePaths.map((path) => `GET ${path.replace(/:(\w+)/g, '{$1}')}`));

const noteRoutes = (message: unknown) => {
  const { fastify } = message as {
    fastify: { addHook(name: 'onRoute', hook: (route: { method: string | string[]; url: string }) => void): void };
  };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') routes.add(`${one} ${url.replace(/:(\w+)/g, '{$1}')}`);
  });
};

let gateway: TestGateway;
let customer: Customer;
let document: SpecDocument;
let operations: Operation[];

beforeAll(async () => {
  subscribe('fastify.initialization', noteRoutes);
  gateway = await startGateway(anyStore, { env: { NETWORKS: 'sandbox' } });
  customer = await gateway.customer();
  const answer = await gateway.call('GET', '/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  document = answer.body;
  operations = operationsOf(document);
});

afterAll(async () => {
  unsubscribe('fastify.initialization', noteRoutes);
  await gateway?.stop();
});

describe('the document', () => {
  test('is valid OpenAPI 3.1 [version.number]', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('says what it is and where [version.number]', () => {
    expect(document.info).toMatchObject({ version: '1.0.0', title: 'Messaging Gateway API', license: { identifier: 'Apache-2.0' } });
    expect(document.info).not.toHaveProperty('contact');
    expect(document.servers).toEqual([{ url: gateway.address }]);
  });

  test('shows the code of a scan in the form that the sandbox gives it', async () => {
    const { body } = await customer.call('POST', '/v1/instances', { network: 'sandbox' });
    for (const text of [JSON.stringify(body), JSON.stringify(document)]) expect(text).toMatch(/"code":"sandbox@[\w-]{32}"/);
  });

  test('needs no key and is the same at the second request', async () => {
    expect((await gateway.call('GET', '/openapi.json')).body).toEqual(document);
  });

  test('has exactly the routes that the server has [service.paths events.none]', () => {
    const documented = operations.map(({ method, path }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual([...routes].filter((route) => !besideTheApi.test(route) && !pages.has(route)).toSorted());
  });

  test('names every operation once', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary).not.toBe('');
      expect(operation.description).not.toBe('');
      expect(document.tags.map((tag) => tag.name)).toContain(operation.tags[0]);
    }
  });

  test('resolves every reference, and has no component that nothing refers to', () => {
    const referred = new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target]) => target ?? ''));
    for (const target of referred) expect(resolve(document, { $ref: target }), target).toBeDefined();
    for (const kind of ['schemas', 'responses', 'parameters', 'headers'] as const) {
      for (const name of Object.keys(document.components[kind])) expect(referred).toContain(`#/components/${kind}/${name}`);
    }
  });

  test('gives the body of every request, answer and webhook a name, one and the same to every failure', () => {
    const { paths, webhooks, components } = document;
    const statuses = [...Object.values(paths).flatMap((methods) => Object.values(methods)), { responses: components.responses }];
    const named = statuses.flatMap(({ responses }) => Object.values(responses)).filter((response) => 'content' in response);
    const requests = [
      ...Object.values(paths).flatMap((methods) => Object.values(methods)),
      ...Object.values(webhooks).map(({ post }) => post),
    ];
    const bodies = [...named, ...requests.flatMap(({ requestBody }) => requestBody ?? [])];
    const names = new Set(bodies.map(({ content }) => content['application/json'].schema.$ref));
    expect([...names].filter((name) => !/\/(?:\w+(?:Request|Success|Webhook)|ErrorEnvelope)$/.test(name ?? ''))).toEqual([]);
    // A class of this name would hide JavaScript's own.
    expect(components.schemas).not.toHaveProperty('Error');
    expect(components.schemas.ErrorEnvelope?.properties?.error?.$ref).toBe('#/components/schemas/ApiError');
  });

  test('its schemas have nothing but keywords of JSON Schema', () => {
    const keywords = new Set(
      (
        '$ref type enum const properties required items allOf anyOf oneOf minLength maxLength pattern format minimum maximum ' +
        'minItems maxItems uniqueItems additionalProperties default description title examples'
      ).split(' '),
    );
    const strange = new Set<string>();
    const visit = (schema: SpecSchema): void => {
      for (const keyword of Object.keys(schema)) if (!keywords.has(keyword)) strange.add(keyword);
      for (const one of [schema.items ?? [], schema.allOf ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat()) visit(one);
      for (const one of Object.values(schema.properties ?? {})) visit(one);
    };
    for (const schema of Object.values(document.components.schemas)) visit(schema);
    for (const { responses, parameters } of operations) {
      for (const { schema } of [...Object.values(responses), ...parameters]) visit(schema);
    }
    expect([...strange]).toEqual([]);
  });

  test('describes what the gateway itself calls: its headers, its body, and a receiver without a key', () => {
    expect(Object.keys(document.webhooks).toSorted()).toEqual(['alerts', 'messages', 'test']);
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const parameters = (post.parameters ?? []).map((parameter) =>
        resolve<{ readonly name: string; readonly in: string }>(document, parameter),
      );
      expect(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual([
        'header webhook-id',
        'header webhook-timestamp',
        'header webhook-signature',
      ]);
      const schema = resolve(document, post.requestBody?.content['application/json'].schema ?? {});
      expect(schema?.required).toEqual(['type', 'timestamp', 'data']);
      expect(schema?.properties?.type?.const).toBe(type);
      expect(post).toMatchObject({ tags: ['Webhooks'], security: [] });
    }
    const names = [...operations.map(({ operation }) => operation), ...Object.values(document.webhooks).map(({ post }) => post)];
    expect(new Set(names.map((one) => one.operationId)).size).toBe(names.length);
    expect(document.tags.map((tag) => tag.name)).toContain('Webhooks');
  });

  test('asks for the key everywhere but at the health check [key.required]', () => {
    expect(document.components.securitySchemes).toMatchObject({ apikey: { type: 'apiKey', in: 'header', name: 'apikey' } });
    expect(document.security).toEqual([{ apikey: [] }]);
    const open = operations.filter(({ operation }) => operation.security !== undefined);
    expect(open.map(({ path, operation }) => [path, operation.security])).toEqual([
      ['/health', []],
      ['/health/ready', []],
    ]);
  });
});

describe('headers', () => {
  test('every response has X-Request-Id; the rest where the contract says [limits.send-headers]', () => {
    for (const { path, responses } of operations) {
      const send = path.startsWith('/v1/messages/');
      for (const [status, response] of Object.entries(responses)) {
        const names = Object.keys(response.headers);
        const afterLimiter =
          (path.startsWith('/v1/') || path === '/sandbox/messages') &&
          !(response.codes.length > 0 && response.codes.every(isBeforeLimiter));
        expect({ path, status, names }).toEqual({
          path,
          status,
          names: [
            'X-Request-Id',
            ...(afterLimiter ? ['X-RateLimit-Scope', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] : []),
            ...(status === '429' || response.codes.includes('qr_unavailable') ? ['Retry-After'] : []),
            ...(send && afterLimiter && status !== '429' ? ['Idempotency-Replayed'] : []),
          ],
        });
      }
    }
  });

  test('Idempotency-Key is on every send and nowhere else [idem.optional]', () => {
    for (const { path, parameters } of operations) {
      const names = parameters.filter((parameter) => parameter.in === 'header').map((parameter) => parameter.name);
      expect(names).toEqual(path.startsWith('/v1/messages/') ? ['Idempotency-Key'] : []);
    }
  });

  test('Idempotency-Key has the limits that the server enforces [idem.key]', async () => {
    const { IdempotencyKey } = document.components.parameters as unknown as {
      IdempotencyKey: { schema: { minLength: number; maxLength: number; pattern: string } };
    };
    const { minLength, maxLength, pattern } = IdempotencyKey.schema;
    const status = async (key: string) => (await customer.send('text', { text: '' }, { 'idempotency-key': key })).body.error.details.field;
    // The body is wrong too, and the header is judged first: its name in the error means that it was refused.
    expect(await status('k'.repeat(minLength))).not.toBe('Idempotency-Key');
    expect(await status('k'.repeat(minLength - 1))).toBe('Idempotency-Key');
    expect(await status('k'.repeat(maxLength))).not.toBe('Idempotency-Key');
    expect(await status('k'.repeat(maxLength + 1))).toBe('Idempotency-Key');
    for (let code = 0x21; code < 0x7f; code++) {
      const key = String.fromCharCode(code).repeat(minLength);
      expect([key, (await status(key)) !== 'Idempotency-Key']).toEqual([key, new RegExp(pattern).test(key)]);
    }
  });

  test('say nothing of idempotency where it is turned off [idem.off]', async () => {
    const without = await startGateway(anyStore, { env: { NETWORKS: 'sandbox', IDEMPOTENCY: 'off' } });
    try {
      const text = JSON.stringify((await without.call('GET', '/openapi.json')).body);
      expect(text).not.toMatch(/"Idempotency-(Key|Replayed)"/);
      // A key that is sent all the same is ignored, so nothing may call it safe.
      expect(text).not.toMatch(/Idempotency-Key: that never sends twice/);
      expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
    } finally {
      await without.stop();
    }
  });
});

test('has no sandbox where it is not enabled [sandbox.enabled]', async () => {
  const without = await startGateway(anyStore, { env: { NETWORKS: 'sandbox' }, overrides: { networks: () => [] } });
  try {
    const spec: SpecDocument = (await without.call('GET', '/openapi.json')).body;
    const text = JSON.stringify({ ...spec.paths, ...spec.components.schemas, tags: spec.tags });
    expect(text).not.toMatch(/\/sandbox\/|"Sandbox/);
    expect(await new Validator().validate({ ...structuredClone(spec) })).toEqual({ valid: true });
  } finally {
    await without.stop();
  }
});

describe('errors', () => {
  test('every code of the catalogue is told, with its status, and no other [session.key-path errors.codes]', () => {
    expect(document.components.schemas.ErrorCode?.enum).toEqual(Object.keys(catalogue));
    const answered = new Set<string>();
    for (const { path, responses } of operations) {
      for (const [status, { codes, examples }] of Object.entries(responses)) {
        if (status === '200') continue;
        expect(Object.keys(examples).toSorted()).toEqual([...codes].toSorted());
        for (const code of codes) {
          // Balancers know 503, so the health check has it in the place of 502.
          const expected =
            path.startsWith('/health') && code === 'upstream_unavailable' ? 503 : catalogue[code as keyof typeof catalogue]?.status;
          expect([code, status]).toEqual([code, String(expected)]);
          answered.add(code);
        }
      }
    }
    // An unknown path is no operation, so its code is in the list of codes only.
    expect([...answered, 'not_found'].toSorted()).toEqual(Object.keys(catalogue).toSorted());
  });

  test('endpoints answer with the statuses of the contract [send.statuses]', () => {
    const statuses = Object.fromEntries(
      operations.map(({ method, path, responses }) => [`${method} ${path}`, Object.keys(responses).join(' ')]),
    );
    for (const kind of allKinds) expect(statuses[`POST /v1/messages/${kind.type}`]).toBe('200 400 401 402 403 404 409 413 422 429 500 502');
    expect(statuses).toMatchObject({
      'POST /v1/instances': '200 400 401 402 403 413 429 500 502',
      'GET /v1/instances': '200 401 403 429 500 502',
      'GET /v1/instances/{id}/status': '200 401 403 404 409 429 500 502',
      'GET /v1/instances/{id}/qr': '200 400 401 403 404 429 500 502 503',
      'GET /v1/instances/{id}/qr-status': '200 401 403 404 409 429 500 502',
      'GET /v1/instances/{id}/passkey': '200 401 403 404 429 500 502',
      'POST /v1/instances/{id}/passkey': '200 400 401 403 404 413 429 500 502',
      'POST /v1/instances/{id}/passkey/confirm': '200 400 401 403 404 429 500 502',
      'GET /health': '200 500 503',
      'GET /health/ready': '200 500 503',
    });
  });
});

function isBeforeLimiter(code: string): boolean {
  const { status } = catalogue[code as keyof typeof catalogue];
  return status === 401 || status === 402 || code === 'account_suspended' || code === 'access_expired';
}
