import { GatewayError, isUuid } from '../core/index.ts';
import { type InnerAnswer, type InnerRequest, idempotencyKeyProblem } from '../http/index.ts';
import type { OfferedTool } from './tools.ts';

/** What calls are made through. */
export interface Caller {
  readonly idempotency: boolean;
  /** The idempotency key of a send that names none. */
  derivedKey(tool: string, given: object): Promise<string>;
  call(inner: InnerRequest): Promise<InnerAnswer>;
}

export interface CallOutcome {
  /** The envelope of the API. */
  readonly envelope: unknown;
  readonly replayed: boolean;
}

/** Asks the tool's endpoint with these arguments. Throws GatewayError for what could not be said in a request. */
export async function callTool(tool: OfferedTool, given: Readonly<Record<string, unknown>>, caller: Caller): Promise<CallOutcome> {
  const { operation, sends } = tool;
  const { idempotency_key: key, ...own } = given;
  const { method, path } = operation;
  const { url, rest } = withPath(path, sends ? own : given);
  const headers = sends && caller.idempotency ? { 'idempotency-key': await keyOf(tool, key, own, caller) } : {};
  const inner = operation.body === null ? { method, url: url + queryOf(rest), headers } : { method, url, body: rest, headers };
  const answer = await caller.call(inner);
  return { envelope: JSON.parse(answer.text), replayed: answer.headers['idempotency-replayed'] === 'true' };
}

async function keyOf({ shown }: OfferedTool, given: unknown, own: object, caller: Caller): Promise<string> {
  if (given === undefined || given === null) return caller.derivedKey(shown.name, own);
  const problem = idempotencyKeyProblem(given, 'idempotency_key');
  if (problem !== null) throw problem;
  return String(given);
}

/** Puts `instance_id` where the path has `{id}`. */
function withPath(path: string, given: Readonly<Record<string, unknown>>) {
  if (!path.includes('{id}')) return { url: path, rest: given };
  const { instance_id: id, ...rest } = given;
  if (typeof id !== 'string' || !isUuid(id)) {
    const problem = id === undefined ? 'is required' : 'must be a UUID';
    throw new GatewayError('invalid_request', `instance_id ${problem}.`, { field: 'instance_id' });
  }
  return { url: path.replace('{id}', id), rest };
}

/** All arguments, also those that the endpoint does not know: it refuses a misspelled one where that matters. */
function queryOf(given: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    // An empty list must not be taken for a parameter that was left out: a delete would then be for good.
    query.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return query.size === 0 ? '' : `?${query}`;
}
