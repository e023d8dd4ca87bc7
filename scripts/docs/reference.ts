import { codeLanguages, codeOf } from '../../src/code/index.ts';
import type { Chapter, Page } from './contents.ts';
import { fieldTable, parameterTable } from './fields.ts';
import { plain } from './markdown.ts';
import { type ApiDocument, exampleBody, exampleInstance, type Operation, refName, resolve } from './openapi.ts';

/** The pages of the reference, with their text. All of it is in the document; only the headings are written here. */
export interface Reference {
  readonly chapters: readonly Chapter[];
  readonly texts: ReadonlyMap<string, string>;
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly page: Page;
}

export function reference(document: ApiDocument): Reference {
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      page: { path: `reference/${kebab(operation.operationId)}`, title: operation.summary },
    })),
  );
  const ofTag = (tag: string) => endpoints.filter(({ operation }) => operation.tags[0] === tag);
  const first = { path: 'reference/index', title: 'API' };
  const errors = { path: 'reference/errors', title: 'Errors' };
  const webhooks = { path: 'reference/webhooks', title: 'Webhooks' };
  const texts = new Map([
    [first.path, overview(document, endpoints)],
    [errors.path, errorsPage(document)],
    [webhooks.path, webhooksPage(document)],
    ...endpoints.map((endpoint) => [endpoint.page.path, endpointPage(document, endpoint)] as const),
  ]);
  const tags = document.tags.map(({ name }) => ({ title: `API: ${name}`, pages: ofTag(name).map(({ page }) => page) }));
  return {
    chapters: [{ title: 'API', pages: [first, errors, webhooks] }, ...tags.filter(({ pages }) => pages.length > 0)],
    texts,
  };
}

/** The introduction without its list of errors, and all endpoints. */
function overview({ info, tags }: ApiDocument, endpoints: readonly Endpoint[]): string {
  const words = info.description.replace(
    /^## Errors\n\n(?:- .*\n?)+/m,
    '## Errors\n\nEvery code, with its cause and its cure: [errors](/reference/errors).\n',
  );
  const tables = tags.flatMap(({ name, description }) => {
    const rows = endpoints.filter(({ operation }) => operation.tags[0] === name);
    if (rows.length === 0) return [];
    const lines = rows.map(({ method, path, page }) => `| [${page.title}](/${page.path}) | \`${method} ${path}\` |`);
    return [`### ${name}\n\n${description}\n\n| | |\n|---|---|\n${lines.join('\n')}`];
  });
  return `# ${info.title}\n\n${words}\n\n## Endpoints\n\n${tables.join('\n\n')}\n`;
}

function endpointPage(document: ApiDocument, { method, path, operation }: Endpoint): string {
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
  const body = operation.requestBody?.content['application/json'];
  const examples = Object.values(body?.examples ?? {});
  const results = Object.values(operation.responses['200']?.content?.['application/json']?.examples ?? {});
  const schema = operation.responses['200']?.content?.['application/json']?.schema;
  return [
    `# ${operation.summary}`,
    `\`${method} ${path}\``,
    operation.description,
    ...(parameters.length > 0 ? [`## Parameters\n\n${parameterTable(parameters)}`] : []),
    ...(body === undefined ? [] : [`## Body\n\n${fieldTable(document, body.schema)}`]),
    `## Request\n\n${requests(document, method, path, operation)}`,
    ...examples.slice(1).map(({ summary, value }) => `Body, ${summary.toLowerCase()}:\n\n${jsonBlock(value)}`),
    ...(schema === undefined ? [] : [`## Response\n\n${fieldTable(document, dataOf(document, schema))}`]),
    ...results.slice(0, 1).map(({ value }) => jsonBlock(value)),
    `## Errors\n\n${errorList(document, operation)}`,
    '',
  ].join('\n\n');
}

/** The first example in each language. */
function requests(document: ApiDocument, method: string, path: string, operation: Operation): string {
  const body = exampleBody(operation);
  const keyed = (operation.parameters ?? []).some((one) => resolve(document, one).name === 'Idempotency-Key');
  const required = (operation.parameters ?? []).map((one) => resolve(document, one)).filter((one) => one.in === 'query' && one.required);
  const query = required.map(({ name }) => `${name}=15550123`).join('&');
  const request = {
    method,
    url: `${document.servers[0].url}${path.replace('{id}', exampleInstance(document))}${query === '' ? '' : `?${query}`}`,
    ...(body === undefined ? {} : { body }),
    apiKey: operation.security?.length === 0 ? null : 'YOUR_API_KEY',
    idempotencyKey: keyed ? `order-1042:${path.split('/').at(-1)}` : null,
  };
  const blocks = codeLanguages.map(({ id, name }) => `\`\`\`${id === 'curl' ? 'sh' : id} [${name}]\n${codeOf(id, request)}\n\`\`\``);
  return `::: code-group\n\n${blocks.join('\n\n')}\n\n:::`;
}

function errorList(document: ApiDocument, operation: Operation): string {
  const lines = Object.entries(operation.responses)
    .filter(([status]) => status !== '200')
    .map(([status, response]) => {
      const codes = Object.keys(resolve(document, response).content?.['application/json']?.examples ?? {});
      return `| ${status} | ${codes.map((code) => `[\`${code}\`](/reference/errors#${code})`).join(', ')} |`;
    });
  return `| status | codes |\n|---|---|\n${lines.join('\n')}`;
}

/** Every code with its sentence from the introduction, and an answer with it. */
function errorsPage({ info, components }: ApiDocument): string {
  const answers = Object.values(components.responses).flatMap((one) => Object.entries(one.content?.['application/json']?.examples ?? {}));
  const sections = [...info.description.matchAll(/^- (\d{3}) `(\w+)`: (.+)$/gm)].map(([, status, code = '', words = '']) => {
    const example = answers.find(([name]) => name === code)?.[1];
    return `## ${code}\n\n**${status}.** ${words}${example === undefined ? '' : `\n\n${jsonBlock(example.value)}`}`;
  });
  return `# Errors\n\n${components.schemas.ErrorCode?.description ?? ''}\n\n${sections.join('\n\n')}\n`;
}

function webhooksPage(document: ApiDocument): string {
  const words = document.tags.find(({ name }) => name === 'Webhooks')?.description ?? '';
  const sections = Object.values(document.webhooks).map(({ post }) => {
    const body = post.requestBody?.content['application/json'];
    const parameters = (post.parameters ?? []).map((one) => resolve(document, one));
    const examples = Object.values(body?.examples ?? {}).map(({ summary, value }) => `${summary}:\n\n${jsonBlock(value)}`);
    const fields = body === undefined ? [] : [fieldTable(document, body.schema)];
    return [`## ${post.summary}`, post.description, parameterTable(parameters), ...fields, ...examples].join('\n\n');
  });
  return `# Webhooks\n\n${words}\n\n${sections.join('\n\n')}\n`;
}

/** The schema of `data` in an answer; all answers have the same envelope. */
function dataOf(document: ApiDocument, schema: { readonly $ref?: string }) {
  const name = refName(schema);
  const whole = name === null ? undefined : document.components.schemas[name];
  return whole?.properties?.data ?? schema;
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function kebab(name: string): string {
  return plain(name).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
