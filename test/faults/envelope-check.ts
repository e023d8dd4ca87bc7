import { catalogue, isUuid } from '../../src/core/index.ts';
import type { RawAnswer } from './raw-connection.ts';

/** What is wrong with an answer that may say anything but an unexpected failure; null when it keeps to the contract. */
export function complaintAbout({ status, headers, body }: RawAnswer): string | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return 'the body is not JSON';
  }
  if (typeof parsed !== 'object' || parsed === null) return 'the body is no object';
  // Only the paths of Evolution API answer a success with 201, without our envelope.
  if (status === 201) return 'key' in parsed || 'instance' in parsed ? null : 'what was made is missing';
  const envelope = 'response' in parsed ? inEnvelope(parsed.response) : (parsed as Record<string, unknown>);
  const { success, data, error, request_id: requestId } = envelope;
  if (typeof requestId !== 'string' || !isUuid(requestId)) return 'there is no request_id';
  if (headers['x-request-id'] !== requestId) return 'the header X-Request-Id says something else';
  if (!headers['content-type']?.startsWith('application/json')) return 'the content type is not JSON';
  if (success === true)
    return status === 200 && typeof data === 'object' && data !== null ? null : 'a success without data or with another status';
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return 'there is no error';
  const { code, message } = error;
  if (typeof code !== 'string' || !Object.hasOwn(catalogue, code)) return 'the code is not in the catalogue';
  const entry = catalogue[code as keyof typeof catalogue];
  if (entry.status !== status && !('response' in parsed && isTheirs(status, code))) return 'the status is not that of the code';
  if (status === 500) return 'an unexpected failure';
  if (typeof message !== 'string' || message === '') return 'there is no message';
  // Stack, SQL, paths and library text must never reach a caller.
  if (/node_modules|\.ts:|sqlite|SQLITE|postgres|kysely|fastify|FST_|zod|\bat .*\(/i.test(message))
    return 'the message tells of the inside';
  return null;
}

/** A failure in the form of Evolution API as our envelope has it. */
function inEnvelope(response: unknown): Record<string, unknown> {
  const { message, code, request_id } = response as Record<string, unknown>;
  const texts = Array.isArray(message) ? message.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
  return { success: false, error: { code, message: texts.join(' ') }, request_id };
}

/** A recipient that is not there, and a name that is taken. */
function isTheirs(status: number, code: string): boolean {
  return (status === 400 && code === 'invalid_recipient') || (status === 403 && code === 'invalid_request');
}

/** Counts by status and code, for the record of a run. */
export class Census {
  readonly #counts = new Map<string, number>();

  add({ status, body }: RawAnswer): void {
    const code = /"code":"([a-z_]+)"/.exec(body)?.[1] ?? 'ok';
    const name = `${status} ${code}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  get names(): readonly string[] {
    return [...this.#counts.keys()];
  }

  toString(): string {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name}: ${count}`)
      .join(', ');
  }
}
