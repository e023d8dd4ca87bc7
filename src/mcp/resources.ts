import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { isUuid } from '../core/index.ts';
import { overview, sections } from '../http/index.ts';
import type { Caller } from './call.ts';
import { documents, readDocument } from './documents.ts';

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

const json = 'application/json';
const markdown = 'text/markdown';
const numbers: Resource = {
  uri: 'gateway://instances',
  name: 'instances',
  title: 'Numbers',
  description: "The account's numbers and whether each can send, as GET /v1/instances answers.",
  mimeType: json,
};
const openapi: Resource = {
  uri: 'gateway://docs/openapi',
  name: 'openapi',
  title: 'OpenAPI document',
  description: 'Every endpoint, field and error of the API.',
  mimeType: json,
};

export const resourceTemplates = [
  {
    uriTemplate: 'gateway://instances/{instance_id}',
    name: 'instance',
    title: 'One number',
    description: 'The live state of a number, as GET /v1/instances/{id}/status answers. Costs one check at the network.',
    mimeType: json,
  },
];

/** The chapters of the reference, as resources with their text. */
function chapters(idempotency: boolean): readonly { readonly resource: Resource; readonly text: string }[] {
  return sections(overview({ idempotency })).map(({ id, title, text }) => ({
    resource: {
      uri: `gateway://docs/${id ?? 'introduction'}`,
      name: id ?? 'introduction',
      title: title ?? 'Introduction',
      description: `The API reference: ${title ?? 'introduction'}.`,
      mimeType: markdown,
    },
    text,
  }));
}

export function resources(idempotency: boolean): readonly Resource[] {
  const files = documents.map((document) => ({ ...document, description: `The documentation: ${document.title}.`, mimeType: markdown }));
  return [numbers, ...chapters(idempotency).map(({ resource }) => resource), openapi, ...files];
}

/** What the resource holds; null when there is none of this address. Throws McpError with the envelope when the API refuses. */
export async function readResource(uri: string, caller: Caller): Promise<{ uri: string; mimeType: string; text: string } | null> {
  const chapter = chapters(caller.idempotency).find(({ resource }) => resource.uri === uri);
  if (chapter !== undefined) return { uri, mimeType: chapter.resource.mimeType, text: chapter.text };
  const document = documents.find((one) => one.uri === uri);
  if (document !== undefined) return { uri, mimeType: markdown, text: await readDocument(document) };
  const url = endpointOf(uri);
  if (url === null) return null;
  const { error, text } = await caller.call({ method: 'GET', url });
  if (error !== null) throw new McpError(ErrorCode.InternalError, error.message, JSON.parse(text));
  return { uri, mimeType: json, text };
}

function endpointOf(uri: string): string | null {
  if (uri === numbers.uri) return '/v1/instances';
  if (uri === openapi.uri) return '/openapi.json';
  const id = uri.startsWith(`${numbers.uri}/`) ? uri.slice(numbers.uri.length + 1) : '';
  return isUuid(id) ? `/v1/instances/${id}/status` : null;
}
