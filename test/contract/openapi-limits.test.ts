import { beforeAll, describe, expect, test } from 'vitest';
import { useGateway } from '../support/use-gateway.ts';
import { type Boundary, boundariesOf } from './boundaries.ts';
import { type Operation, operationsOf } from './spec.ts';

/** Where one valid body cannot show every limit: lists with an item of each sort, options enough for the highest count. */
const richer: Readonly<Record<string, object>> = {
  sendPoll: { options: Array.from({ length: 10 }, (_, index) => `Option ${index}`) },
  sendButtons: {
    buttons: [
      { type: 'reply', text: 'Yes', id: 'yes' },
      { type: 'url', text: 'Open', url: 'https://example.com/' },
      { type: 'call', text: 'Call', phone_number: '4930901820' },
    ],
  },
  sendContact: { contacts: [{ full_name: 'Ada', phone_number: '442079460958', email: 'ada@example.com', url: 'https://example.com/' }] },
  checkNumbers: { numbers: ['4930901820'] },
};

/** What the schema alone cannot say: `network` is narrowed by the deployment. */
const beyondTheSchema = new Set(['createInstance network enum']);
/** No value just within the limit can be made from the length alone: no emoji is as long, and a phone number consists of digits. */
const notByLength = new Set([
  'sendReaction emoji maxLength',
  'sendContact contacts[0].phone_number minLength',
  'sendButtons buttons[2].phone_number minLength',
]);

let operations: Operation[];
/** The status of a request with this body; 400 means that the body was refused. */
let statusOf: (operation: Operation, body: unknown) => Promise<number>;

// Every name resolves to a public address, so that links are judged by their form alone.
const { gateway } = useGateway({ overrides: { lookup: async () => ['93.184.215.14'] } });
beforeAll(async () => {
  const customer = await gateway.customer({ plan: await gateway.plan() });
  operations = operationsOf((await gateway.call('GET', '/openapi.json')).body).filter(({ body }) => body !== null);
  const { instance_id } = (await customer.call('POST', '/v1/instances', {})).body.data;
  // The examples' instance is nobody's, so a body that is accepted ends as 404 and nothing is sent.
  statusOf = async ({ method, path }, body) => (await customer.call(method, path.replace('{id}', instance_id), body)).status;
});

function boundariesFor({ operation, body, bodyExamples }: Operation): Boundary[] {
  const [example] = Object.values(bodyExamples);
  if (body === null || example === undefined) throw new Error(`${operation.operationId} has no example body`);
  return boundariesOf(body, { ...(example.value as object), ...richer[operation.operationId] });
}

describe('what the document says of request bodies is what the API enforces', () => {
  test('every example is accepted', async () => {
    for (const one of operations) {
      // Nobody asks for these codes and passkeys.
      if (one.path.startsWith('/sandbox/scan') || one.path.endsWith('/passkey')) continue;
      for (const [name, { value }] of Object.entries(one.bodyExamples)) {
        expect([one.path, name, await statusOf(one, value)]).not.toContain(400);
      }
    }
  });

  test('every limit holds on both sides [fields.limits]', async () => {
    const wrong: string[] = [];
    let tried = 0;
    for (const one of operations) {
      for (const { name, within, beyond } of boundariesFor(one)) {
        const label = `${one.operation.operationId} ${name}`;
        if (beyondTheSchema.has(label)) continue;
        if (within !== null && !notByLength.has(label) && (await statusOf(one, within)) === 400)
          wrong.push(`${label}: refused within the limit`);
        if ((await statusOf(one, beyond)) !== 400) wrong.push(`${label}: accepted beyond the limit`);
        tried++;
      }
    }
    expect(wrong).toEqual([]);
    // The contract has about this many; a walk that finds none would prove nothing.
    expect(tried).toBeGreaterThan(80);
  });

  test('every required field is required, and every other one is not [fields.required]', async () => {
    for (const one of operations) {
      const [example] = Object.values(one.bodyExamples);
      const full = { ...(example?.value as Record<string, unknown>), ...richer[one.operation.operationId] };
      for (const name of Object.keys(full)) {
        const { [name]: _, ...without } = full;
        const refused = (await statusOf(one, without)) === 400;
        if (!one.path.startsWith('/sandbox/scan'))
          expect([one.path, name, refused]).toEqual([one.path, name, one.body?.required?.includes(name) ?? false]);
      }
    }
  });

  test('every field is described', () => {
    const silent: string[] = [];
    for (const { operation, body } of operations) {
      for (const [name, property] of Object.entries(body?.properties ?? {})) {
        if (property.description === undefined) silent.push(`${operation.operationId} ${name}`);
      }
    }
    expect(silent).toEqual([]);
  });
});
