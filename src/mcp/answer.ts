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
import { GatewayError } from '../core/index.ts';
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

const instructions =
  'Sends WhatsApp messages from the phone numbers of one account. Begin with list_instances: every send needs the instance_id of a number whose status is open. ' +
  'A success means accepted for delivery, not delivered or read; nothing is received. A message reaches a real person and cannot be taken back: send only what the user asked for. ' +
  'A failed call answers with error.code; gateway://docs/errors explains each. After rate_limit_exceeded wait details.retry_after_seconds. ' +
  'Repeat a call whose outcome is unknown with the same arguments: it is not sent twice.';

/** The longest part of a caller's word that an error repeats. */
const longestQuote = 100;

/** A server needs one to ask its user something, which this one never does; the library's own is costly to make. */
const noValidator = {
  getValidator(): never {
    throw new Error('nothing is asked of the user');
  },
};

/** Answers one message. Nothing is kept between two of them, so that any server may get the next. */
export async function answer(post: Post): Promise<PostAnswer> {
  const server = new Server(
    { name: 'messaging-gateway', version: post.version },
    { capabilities: { tools: {}, resources: {} }, instructions, jsonSchemaValidator: noValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...post.tools.values()].map(({ shown }) => shown) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => callResult(post, params.name, params.arguments ?? {}));
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...resources(post.idempotency)] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const found = await readResource(uri, post);
    if (found === null) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${quoted(uri)}`);
    return { contents: [found] };
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const request = new Request('http://gateway/mcp', { method: 'POST', headers: post.headers });
    const response = await transport.handleRequest(request, { parsedBody: post.message });
    return { status: response.status, text: await response.text() };
  } finally {
    await server.close();
  }
}

async function callResult(post: Post, name: string, given: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const tool = post.tools.get(name);
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${quoted(name)}`);
  try {
    return resultOf(await callTool(tool, given, post));
  } catch (error) {
    const known = error instanceof GatewayError ? error : post.unexpected(error);
    return { content: [{ type: 'text', text: post.failure(known) }], isError: true };
  }
}

function quoted(word: string): string {
  return JSON.stringify(word.slice(0, longestQuote));
}
