// The Postman collection (format 2.1, which Bruno and Insomnia read too) of an OpenAPI document: docs/postman.json. `npm run openapi` writes it.

import { type ApiDocument, type Operation, type Parameter, resolve } from './docs/openapi.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const noAuth = { type: 'noauth' };

export function postmanCollection(document: ApiDocument) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const [{ url }] = document.servers;
  const setup = 'Set the variables `base_url`, `api_key` and `instance_id` first, and `to` to a number of your own.';
  return {
    info: { name: document.info.title, description: `${setup}\n\n${document.info.description}`, schema },
    auth: { type: 'apikey', apikey: [text('key', 'apikey'), text('value', '{{api_key}}'), text('in', 'header')] },
    variable: [
      { key: 'base_url', value: url },
      { key: 'api_key', value: '' },
      { key: 'instance_id', value: '' },
      { key: 'to', value: '15550123' },
      // A new one for each request. Give it a value of your own to see that a repeated request sends nothing.
      { key: 'idempotency_key', value: '{{$guid}}' },
    ],
    item: document.tags
      .map(({ name, description }) => ({
        name,
        description,
        item: operations
          .filter(({ operation }) => operation.tags[0] === name)
          .flatMap(({ path, method, operation }) => requests(document, path, method, operation)),
      }))
      .filter(({ item }) => item.length > 0),
  };
}

/** One request for each example of the operation. */
function requests(document: ApiDocument, path: string, method: string, operation: Operation) {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  const body = operation.requestBody?.content['application/json'];
  const request = {
    method,
    description: operation.description,
    ...(operation.security?.length === 0 ? { auth: noAuth } : {}),
    header: [
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ...parameters
        .filter((parameter) => parameter.in === 'header')
        .map(({ name, description }) => ({ key: name, value: '{{idempotency_key}}', description })),
    ],
    url: address(path, parameters),
  };
  const examples = Object.values(body?.examples ?? {});
  if (examples.length === 0) return [{ name: operation.summary, request }];
  return examples.map(({ summary, value }) => ({
    name: examples.length === 1 ? operation.summary : `${operation.summary}: ${lowerFirst(summary)}`,
    request: { ...request, body: { mode: 'raw', raw: bodyText(document, value as object), options: { raw: { language: 'json' } } } },
  }));
}

function address(path: string, parameters: readonly Parameter[]) {
  const named = path.replace('{id}', '{{instance_id}}');
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required = false, description, schema }) => ({
      key: name,
      value: name === 'to' ? '{{to}}' : (schema.enum?.[0] ?? ''),
      description,
      ...(required ? {} : { disabled: true }),
    }));
  const asked = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`);
  return {
    raw: `{{base_url}}${named}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
    host: ['{{base_url}}'],
    path: named.slice(1).split('/'),
    ...(query.length > 0 ? { query } : {}),
  };
}

/** The body of an example, with the reader's number, recipient and address in place of the example's. */
function bodyText(document: ApiDocument, value: object): string {
  const own = {
    ...value,
    ...('instance_id' in value ? { instance_id: '{{instance_id}}' } : {}),
    ...('to' in value ? { to: '{{to}}' } : {}),
  };
  return JSON.stringify(own, null, 2).replaceAll(`"${document.servers[0].url}/`, '"{{base_url}}/');
}

function text(key: string, value: string) {
  return { key, value, type: 'string' };
}

function lowerFirst(words: string): string {
  return /^[A-Z][a-z]/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}
