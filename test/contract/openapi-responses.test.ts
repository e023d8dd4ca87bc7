import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Answer } from '../support/gateway.ts';
import { useGateway } from '../support/use-gateway.ts';
import { type Operation, operationsOf, resolve, type SpecDocument, type SpecSchema } from './spec.ts';

let document: SpecDocument;
let operations: Operation[];

const { gateway, customer } = useGateway();
beforeAll(async () => {
  document = (await gateway.call('GET', '/openapi.json')).body;
  operations = operationsOf(document);
});

/** The schema with every reference put in place; none of ours is recursive. */
function inlined(schema: SpecSchema): SpecSchema {
  const target = resolve<SpecSchema>(document, schema);
  const { $ref: _, ...beside } = schema;
  const whole: Record<string, unknown> = { ...target, ...beside };
  for (const list of ['allOf', 'oneOf', 'anyOf']) if (Array.isArray(whole[list])) whole[list] = (whole[list] as SpecSchema[]).map(inlined);
  if (target.items !== undefined) whole.items = inlined(target.items);
  if (target.properties !== undefined) {
    whole.properties = Object.fromEntries(Object.entries(target.properties).map(([name, property]) => [name, inlined(property)]));
  }
  return whole;
}

/** What a value has that its schema does not name; free-form objects may have anything. */
function undocumented(schema: SpecSchema, value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => undocumented(itemsOf(schema), one, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  const known = propertiesOf(schema);
  if (Object.keys(known).length === 0) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    known[name] === undefined ? [`${path}.${name}`] : undocumented({ allOf: known[name] }, one, `${path}.${name}`),
  );
}

function partsOf(schema: SpecSchema): SpecSchema[] {
  return [schema, ...[...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(partsOf)];
}

function propertiesOf(schema: SpecSchema): Record<string, SpecSchema[]> {
  const named = partsOf(schema).flatMap((part) => Object.entries(part.properties ?? {}));
  const names = [...new Set(named.map(([name]) => name))];
  return Object.fromEntries(names.map((name) => [name, named.filter(([other]) => other === name).map(([, one]) => one)]));
}

function itemsOf(schema: SpecSchema): SpecSchema {
  return { allOf: partsOf(schema).flatMap((part) => (part.items === undefined ? [] : [part.items])) };
}

/** Holds an answer against what the document says of this operation and status: body, nothing undocumented, headers. */
function hold(operationId: string, answer: Answer): void {
  const operation = operations.find((one) => one.operation.operationId === operationId);
  const response = operation?.responses[answer.status];
  if (response === undefined) throw new Error(`${operationId} answered ${answer.status}, which the document does not know`);
  holdBody(`${operationId} ${answer.status}`, response.schema, answer.body);
  for (const name of Object.keys(response.headers)) {
    // Of the codes that share a status, some are decided before the limiter.
    const optional = answer.status === 403 && name !== 'X-Request-Id';
    if (!optional) expect([operationId, answer.status, name, answer.headers.get(name)]).not.toContain(null);
  }
}

function holdBody(what: string, schema: SpecSchema, body: unknown): void {
  const whole = inlined(schema);
  const parsed = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]).safeParse(body);
  expect({ what, error: parsed.error?.issues ?? null }).toEqual({ what, error: null });
  expect({ what, undocumented: undocumented(whole, body) }).toEqual({ what, undocumented: [] });
}

test('every example of a response is as its schema says', () => {
  for (const { operation, responses } of operations) {
    for (const [status, { schema, examples }] of Object.entries(responses)) {
      expect(Object.keys(examples)).not.toEqual([]);
      for (const [name, { value }] of Object.entries(examples)) holdBody(`${operation.operationId} ${status} ${name}`, schema, value);
    }
  }
});

describe('what the API answers is as the document says', () => {
  test('the life of an instance [service.instances instance.fields qr.data extensions.optional]', async () => {
    const created = await customer.call('POST', '/v1/instances', { label: 'Desk' });
    hold('createInstance', created);
    const { instance_id, qrcode } = created.body.data;
    const path = `/v1/instances/${instance_id}`;
    hold('listInstances', await customer.call('GET', '/v1/instances'));
    hold('getInstanceQr', await customer.call('GET', `${path}/qr?phone_number=4917012345`));
    hold('getInstanceQrStatus', await customer.call('GET', `${path}/qr-status`));
    hold('getInstancePasskey', await customer.call('GET', `${path}/passkey`));
    hold('answerInstancePasskey', await customer.call('POST', `${path}/passkey`, { credential: {} }));
    hold('confirmInstancePasskey', await customer.call('POST', `${path}/passkey/confirm`));
    hold('sandboxScan', await customer.call('POST', '/sandbox/scan', { code: qrcode.code, phone_number: '4917012345' }));
    await customer.reaches(instance_id, 'open');
    hold('getInstanceQr', await customer.call('GET', `${path}/qr`));
    hold('getInstanceQrStatus', await customer.call('GET', `${path}/qr-status`));
    hold('getInstanceStatus', await customer.call('GET', `${path}/status`));
    hold('renameInstance', await customer.call('PATCH', path, { label: 'Night desk' }));
    hold('sandboxUnlink', await customer.call('POST', '/sandbox/unlink', { phone_number: '4917012345' }));
    hold('deleteInstance', await customer.call('DELETE', `${path}?logout_only=true`));
    hold('deleteInstance', await customer.call('DELETE', path));
    hold('getHealth', await gateway.call('GET', '/health'));
    hold('getReadiness', await gateway.call('GET', '/health/ready'));
  });

  test('sends, what arrives, and number checks [sandbox.envelope]', async () => {
    const instance_id = await customer.linked();
    for (const { path, operation, bodyExamples } of operations) {
      for (const { value } of Object.values(bodyExamples)) {
        // The examples' files do not exist, and a test must not ask the internet for them.
        if (!path.startsWith('/v1/messages/') || JSON.stringify(value).includes('"url"')) continue;
        const answer = await customer.call('POST', path, { ...(value as object), instance_id });
        expect([path, answer.status]).toEqual([path, 200]);
        hold(operation.operationId, answer);
      }
    }
    hold('listSandboxMessages', await customer.call('GET', '/sandbox/messages?to=491701234567'));
    hold(
      'checkNumbers',
      await customer.call('POST', '/v1/numbers/check', { instance_id, numbers: ['491701234567', '491700000000', '491700000001'] }),
    );
  });

  test('failures [errors.codes]', async () => {
    const nobody = '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11';
    const to = '491701234567';
    hold('sendText', await customer.send('text', { to: 1 }));
    hold('sendText', await customer.send('text', { instance_id: nobody, to: 'nobody', text: 'x' }));
    hold('sendText', await customer.send('text', { instance_id: nobody, to, text: 'x' }));
    hold('sendText', await customer.send('text', { instance_id: nobody, to, text: 'x'.repeat(140_000) }));
    hold('sendImage', await customer.send('image', { instance_id: nobody, to, url: 'http://127.0.0.1/' }));
    hold('sendText', await gateway.call('POST', '/v1/messages/text', { body: {} }));
    hold('checkNumbers', await customer.call('POST', '/v1/numbers/check', { instance_id: nobody, numbers: Array(51).fill(to) }));
    hold('getInstanceStatus', await customer.call('GET', `/v1/instances/${nobody}/status`));
    hold('deleteInstance', await customer.call('DELETE', `/v1/instances/${nobody}?logoutOnly=1`));
    hold('listInstances', await (await gateway.customer({ accessEndsAt: 1 })).call('GET', '/v1/instances'));
    const { instance_id } = (await customer.call('POST', '/v1/instances', {})).body.data;
    hold('sendText', await customer.send('text', { instance_id, to, text: 'x' }));
    const slow = await gateway.customer({ plan: await gateway.plan({ messagesPerMinute: 1 }) });
    hold('sendText', await slow.send('text', {}));
    const limited = await slow.send('text', {});
    expect(limited.status).toBe(429);
    hold('sendText', limited);
  });
});
