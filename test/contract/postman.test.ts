import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { postmanCollection } from '../../scripts/postman.ts';
import { allKinds } from '../../src/kinds/index.ts';
import { useGateway } from '../support/use-gateway.ts';
import { outcome } from './outcome.ts';

type Collection = ReturnType<typeof postmanCollection>;
type Request = Collection['item'][number]['item'][number]['request'];

const { gateway, customer, number } = useGateway({ plan: 'generous', env: { NETWORKS: 'sandbox' } });
const collection: Collection = JSON.parse(readFileSync(new URL('../../docs/postman.json', import.meta.url), 'utf8'));
const folder = (name: string) => collection.item.find((one) => one.name === name)?.item ?? [];

/** Sends a request of the collection as Postman does: variables replaced, the key of the collection in its header. */
async function run({ method, url, header, body, auth }: Request & { readonly body?: { readonly raw: string } }) {
  const values = new Map(collection.variable.map(({ key, value }) => [key, value]));
  values.set('base_url', gateway.address).set('api_key', customer.key).set('instance_id', number());
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (_, name: string) => (name === '$guid' ? randomUUID() : filled(values.get(name) ?? name)));
  const key = collection.auth.apikey.find((one) => one.key === 'value')?.value ?? '';
  const response = await fetch(filled(url.raw), {
    method,
    headers: {
      ...Object.fromEntries(header.map((one) => [one.key, filled(one.value)])),
      ...(auth === undefined ? { apikey: filled(key) } : {}),
    },
    ...(body === undefined ? {} : { body: filled(body.raw) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test('the collection has every kind of message, and each request is accepted as it stands', async () => {
  const sends = folder('Messages');
  expect(new Set(sends.map(({ request }) => request.url.path.at(-1)))).toEqual(new Set(allKinds.map(({ type }) => type)));
  for (const { name, request } of [...sends, ...folder('Numbers')]) {
    const answer = await run(request);
    expect([name, outcome(answer)]).toEqual([name, '200']);
    // Each send has a key of its own.
    if (request.url.path[1] === 'messages') expect([name, answer.headers.get('Idempotency-Replayed')]).toEqual([name, 'false']);
  }
});

test('it asks for health without a key, and for the number and its contact with one', async () => {
  for (const { request } of folder('Health')) expect(request.auth).toEqual({ type: 'noauth' });
  const reads = [...folder('Health'), ...folder('Instances'), ...folder('Sandbox')].filter(({ request }) => request.method === 'GET');
  expect(reads.length).toBeGreaterThan(5);
  // No passkey was asked for.
  for (const { name, request } of reads.filter(({ request }) => request.url.path.at(-1) !== 'passkey'))
    expect([name, outcome(await run(request))]).toEqual([name, '200']);
});
