import type { Readable } from 'node:stream';
import { OperatorError } from '../core/index.ts';

interface RelayOptions {
  /** Where a gateway answers MCP over HTTP. */
  readonly url: string;
  readonly key: string;
  /** Messages, one JSON object a line. */
  readonly input: Readable;
  write(text: string): void;
  /** Posts one message to `url`; absent: by fetch. */
  readonly post?: Post;
}

/** Resolves with the parsed body of the answer, which is no object when it is no JSON. */
export type Post = (
  message: object,
  headers: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly body: unknown }>;

// Codes of JSON-RPC and, below -32000, of a server's own.
const notJson = -32_700;
const failed = -32_000;
/** In characters; the gateway takes messages of up to 128 KB. */
const longestLine = 1_048_576;

/** Passes each message on and writes its answer, until the input ends and everything is answered. */
export async function relay({ url, key, input, write, post = byFetch(url) }: RelayOptions): Promise<void> {
  const pending = new Set<Promise<void>>();
  /** What the two have agreed on; later requests name it. */
  let version: string | null = null;

  async function pass(line: string): Promise<void> {
    if (line.length > longestLine) return write(failure(null, failed, `The line is longer than ${longestLine} characters.`));
    const message = parsed(line);
    if (!isObject(message)) return write(failure(null, notJson, 'The line is not a JSON object.'));
    const answer = await ask(message);
    const id = 'id' in message && 'method' in message ? message.id : undefined;
    if (isObject(answer.body) && 'jsonrpc' in answer.body) {
      if (isObject(answer.body.result) && typeof answer.body.result.protocolVersion === 'string')
        version = answer.body.result.protocolVersion;
      write(`${JSON.stringify({ ...answer.body, ...(answer.body.id === null && id !== undefined ? { id } : {}) })}\n`);
    } else if (id !== undefined) write(failure(id, failed, answer.problem ?? problemOf(answer.body), answer.body));
  }

  async function ask(message: object): Promise<{ readonly body: unknown; readonly problem: string | null }> {
    try {
      const { status, body } = await post(message, {
        apikey: key,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version === null ? {} : { 'mcp-protocol-version': version }),
      });
      return { body, problem: isObject(body) ? null : `${url} answered ${status}, and not as a gateway does` };
    } catch (error) {
      if (error instanceof OperatorError) return { body: undefined, problem: error.message };
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return { body: undefined, problem: `${url} could not be asked: ${cause instanceof Error ? cause.message : cause}` };
    }
  }

  for await (const line of linesOf(input)) {
    if (line.trim() === '') continue;
    const passing = pass(line).finally(() => pending.delete(passing));
    pending.add(passing);
  }
  await Promise.all(pending);
}

function byFetch(url: string): Post {
  return async (message, headers) => {
    // A redirected send would arrive as another request, and the key at another address.
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message), redirect: 'error' });
    return { status: response.status, body: parsed(await response.text()) };
  };
}

/**
 * The lines, each ended by LF alone: `readline` also ends them at U+2028 and U+2029, which may stand in a JSON text. Of one that is too long only
 * the beginning is kept.
 */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let line = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const [rest = '', ...more] = String(chunk).split('\n');
    if (line.length <= longestLine) line += rest;
    for (const next of more) {
      yield line;
      line = next;
    }
  }
  yield line;
}

/** The code and message of a failure envelope. */
function problemOf(body: unknown): string {
  const error = isObject(body) ? body.error : undefined;
  return isObject(error) ? `${error.code}: ${error.message}` : 'The gateway gave no answer.';
}

function failure(id: unknown, code: number, message: string, data?: unknown): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })}\n`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
