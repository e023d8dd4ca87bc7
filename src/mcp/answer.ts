import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { GatewayError } from '../core/index.ts';
import { asGatewayError } from '../http/index.ts';
import { type Caller, callTool } from './call.ts';
import { readResource, resources, resourceTemplates } from './resources.ts';
import { resultOf, type ToolResult } from './result.ts';
import type { OfferedTool } from './tools.ts';

/** One message of an assistant, and what it is answered from. */
export interface Post extends Caller {
  readonly version: string;
  readonly tools: ReadonlyMap<string, OfferedTool>;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: object;
  /** The failure envelope of this error. */
  failure(error: GatewayError): string;
  /** Notes an unexpected error and gives the one that is answered. */
  unexpected(error: unknown): GatewayError;
}

export interface PostAnswer {
  readonly status: number;
  /** JSON; empty for a message that is not answered. */
  readonly text: string;
}

const purpose =
  'Sends WhatsApp messages from the phone numbers of one account. Begin with list_instances: every send needs the instance_id of a number whose status is open. ' +
  'A success means accepted for delivery, not delivered or read; nothing is received. A message reaches a real person and cannot be taken back: send only what the user asked for. ' +
  'A failed call answers with error.code; gateway://docs/errors explains each. After rate_limit_exceeded wait details.retry_after_seconds. ';
/** What to do about a send whose outcome is unknown, with idempotency keys and without. */
const repeating = {
  with: 'Repeat a send whose outcome is unknown with the same arguments within ten minutes: it is not sent twice.',
  without: 'A send whose outcome is unknown may have been made, and repeating it sends again: ask the user first.',
};

/** The longest part of a caller's word that an error repeats. */
const longestQuote = 100;

/** A server needs one to ask its user something, which this one never does; the library's own is costly to make. */
const noValidator = {
  getValidator(): never {
    throw new Error('nothing is asked of the user');
  },
};

const invalidParams = { code: ErrorCode.InvalidParams, message: 'The params are not those of this method.' };

/** The library answers with what its own checks say of a message; this answers in our words. */
class Transport extends WebStandardStreamableHTTPServerTransport {
  override send(...[message, options]: Parameters<WebStandardStreamableHTTPServerTransport['send']>): Promise<void> {
    // Our own failures have their envelope as data.
    const foreign = 'error' in message && message.error.code === ErrorCode.InternalError && message.error.data === undefined;
    return super.send(foreign ? { ...message, error: invalidParams } : message, options);
  }
}

/** Answers one message. Nothing is kept between two of them, so that any server may get the next. */
export async function answer(post: Post): Promise<PostAnswer> {
  const instructions = purpose + (post.idempotency ? repeating.with : repeating.without);
  const server = new Server(
    { name: 'messaging-gateway', version: post.version },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: noValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...post.tools.values()].map(({ shown }) => shown) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callResult(post, params.name, params.arguments ?? {}));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources(post.idempotency)] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const found = await readResource(uri, post).catch((error: unknown) => {
      if (error instanceof McpError) throw error;
      const known = knownError(post, error);
      throw new McpError(ErrorCode.InternalError, known.message, JSON.parse(post.failure(known)));
    });
    if (found === null) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${quoted(uri)}`);
    return { contents: [found] };
  });
  const transport = new Transport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request('http://gateway/mcp', { method: 'POST', headers: post.headers });
    const response = await transport.handleRequest(request, { parsedBody: withoutTask(post.message) });
    return { status: response.status, text: await response.text() };
  } finally {
    await server.close();
  }
}

/** A server that offers no tasks is to ignore that one is asked for; the library refuses the request. */
function withoutTask(message: object): object {
  const params = 'params' in message ? message.params : null;
  if (typeof params !== 'object' || params === null || !('task' in params)) return message;
  return { ...message, params: { ...params, task: undefined } };
}

async function callResult(post: Post, name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const tool = post.tools.get(name);
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${quoted(name)}`);
  try {
    return resultOf(await callTool(tool, given, post));
  } catch (error) {
    return { content: [{ type: 'text', text: post.failure(knownError(post, error)) }], isError: true };
  }
}

function knownError(post: Post, error: unknown): GatewayError {
  return asGatewayError(error) ?? post.unexpected(error);
}

function quoted(word: string): string {
  return JSON.stringify(word.slice(0, longestQuote));
}
