import type { Operation } from '../http/index.ts';

/** What an assistant sees of an operation of the API. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** A tool with what it calls. */
export interface OfferedTool {
  readonly shown: Tool;
  readonly operation: Operation;
  /** It sends a message, so it takes an idempotency key. */
  readonly sends: boolean;
}

const offeredTags: ReadonlySet<string> = new Set(['Messages', 'Numbers', 'Instances']);
/** What changes nothing. Asking for the QR code does: it starts a pairing attempt. */
const readOnly: ReadonlySet<string> = new Set(['listInstances', 'getInstanceStatus', 'getInstanceQrStatus', 'checkNumbers']);

const instanceIdProperty = { type: 'string', format: 'uuid', description: 'The number, as list_instances names it.' };
const idempotencyKeyProperty = {
  type: 'string',
  minLength: 8,
  maxLength: 255,
  pattern: '^[A-Za-z0-9._:~-]+$',
  description:
    'Your own name for this message, such as order-1042:shipped. For 24 hours a call with the same name sends nothing again. ' +
    'Without it, the same call within ten minutes counts as a retry and sends nothing: to send the same text again on purpose, give a new name.',
};

/** The operations as tools, by name. A passkey is given in a browser, so its endpoints are not among them. */
export function toolsOf(operations: readonly Operation[], idempotency: boolean): ReadonlyMap<string, OfferedTool> {
  const offered = operations.filter(({ docs, path }) => offeredTags.has(docs.tag) && !path.includes('/passkey'));
  return new Map(offered.map((operation) => [nameOf(operation), toolOf(operation, idempotency)]));
}

function toolOf(operation: Operation, idempotency: boolean): OfferedTool {
  const { method, path, docs } = operation;
  const sends = docs.tag === 'Messages';
  const changesNothing = readOnly.has(docs.operationId);
  return {
    operation,
    sends,
    shown: {
      name: nameOf(operation),
      title: docs.summary,
      description: `${docs.summary}. ${docs.description}\n\nCalls ${method} ${path}.`,
      inputSchema: inputOf(operation, sends && idempotency),
      annotations: {
        readOnlyHint: changesNothing,
        destructiveHint: method === 'DELETE',
        idempotentHint: changesNothing || method === 'PATCH' || method === 'DELETE',
        openWorldHint: true,
      },
    },
  };
}

/** `sendText` as `send_text`. */
function nameOf({ docs }: Operation): string {
  return docs.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Path, query and body in one object, which is what a tool takes. */
function inputOf({ path, query, body }: Operation, withKey: boolean): Tool['inputSchema'] {
  const inPath = path.includes('{id}');
  const schema = body?.schema ?? {};
  const parameters = query.map(({ name, description, schema: of }) => [name, { ...of, description }] as const);
  const required = [...(inPath ? ['instance_id'] : []), ...(Array.isArray(schema.required) ? schema.required : [])];
  return {
    ...schema,
    type: 'object',
    properties: {
      ...(inPath ? { instance_id: instanceIdProperty } : {}),
      ...Object.fromEntries(parameters),
      ...(typeof schema.properties === 'object' ? schema.properties : {}),
      ...(withKey ? { idempotency_key: idempotencyKeyProperty } : {}),
    },
    ...(required.length === 0 ? {} : { required }),
  };
}
