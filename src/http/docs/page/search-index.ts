import { catalogue } from '../../../core/index.ts';
import { errorAnchor } from '../../envelope.ts';
import { describe, type Operation } from '../document.ts';
import { opening } from '../overview.ts';
import { webhooksTag } from '../webhooks.ts';
import { fieldsOf, type Schemas } from './fields.ts';
import { sections } from './prose.ts';
import { codes, type PageOptions, webhooksId } from './render.ts';
import type { SearchEntry, SearchIndex } from './search.ts';

/** What people type, and what the reference calls it, in lower case. Whole words; their beginnings and plurals are recognised too. */
const synonyms: SearchIndex['synonyms'] = {
  twice: ['retrying safely', 'idempotency'],
  duplicate: ['retrying safely', 'idempotency'],
  double: ['retrying safely', 'idempotency'],
  repeat: ['retrying safely', 'idempotency'],
  timeout: ['retrying safely', 'upstream_unavailable'],
  reply: ['quoted'],
  replies: ['quoted'],
  answer: ['quoted', 'responses'],
  callback: ['webhook'],
  event: ['webhook', 'delivered'],
  notification: ['webhook'],
  hmac: ['webhook'],
  receipt: ['delivered'],
  seen: ['delivered, read'],
  arrived: ['delivered'],
  token: ['apikey', 'api_key', 'first steps'],
  bearer: ['apikey', 'api_key', 'first steps'],
  authentication: ['apikey', 'api_key', 'first steps'],
  authorization: ['apikey', 'api_key', 'first steps'],
  throttle: ['rate limit', 'rate_limit'],
  quota: ['rate limit', 'trial'],
  photo: ['image'],
  picture: ['image'],
  voice: ['audio'],
  pdf: ['document'],
  emoji: ['reaction'],
  vcard: ['contact'],
  survey: ['poll'],
  vote: ['poll'],
  menu: ['list message'],
  pair: ['qr', 'link'],
  scan: ['qr'],
  banned: ['restriction'],
  blocked: ['restriction', 'suspended'],
};

/** All that can be found: headings, what stands below them, endpoints, webhooks, fields and errors. */
export function searchIndex(options: PageOptions): SearchIndex {
  const { operations, webhooks, schemas } = describe(options.routes, options);
  const entries: SearchEntry[] = [
    ...sections(opening(options)).map(({ id, title, text }) => ({ id: id ?? 'main', title: title ?? 'Introduction', about: '', text })),
    ...operations.flatMap((operation) => ofOperation(operation, schemas)),
    { id: webhooksId, title: webhooksTag, about: '', text: allWords(options.webhookDocs) },
    ...webhooks.flatMap(({ operationId: id, summary: title, description: text, body }) => [
      { id, title, about: webhooksTag, text },
      ...fieldEntries({ id, title }, fieldsOf(body, schemas)),
    ]),
    ...codes().map((code) => {
      const { status, condition, cure } = catalogue[code];
      return { id: errorAnchor(code), title: `${status} ${code}`, about: condition, text: cure };
    }),
  ];
  return { entries: entries.map((entry) => ({ ...entry, text: entry.text.replaceAll('`', '') })), synonyms };
}

function ofOperation({ method, path, docs, query, body, data }: Operation, schemas: Schemas): SearchEntry[] {
  const { operationId: id, summary: title, description: text } = docs;
  const fields = [
    ...query.map(({ name, description = '' }) => ({ path: name, description })),
    ...(body === null ? [] : fieldsOf(body.schema, schemas)),
    ...fieldsOf(data, schemas),
  ];
  return [{ id, title, about: `${method} ${path}`, text }, ...fieldEntries({ id, title }, fields)];
}

function fieldEntries(
  { id, title }: { readonly id: string; readonly title: string },
  fields: readonly { readonly path: string; readonly description: string | null }[],
): SearchEntry[] {
  return fields.map(({ path, description }) => ({ id, title: path, about: `Field of: ${title}`, text: description ?? '', field: true }));
}

function allWords({ description, headers }: PageOptions['webhookDocs']): string {
  return [description, ...headers.map((header) => `${header.name} ${header.description}`)].join(' ');
}
