import type { BulkResult } from '../../../../src/portal/wire/listing.ts';
import { ApiError, call } from '../../api/client.ts';
import type { BulkPath } from '../../api/endpoints.ts';
import { patiently } from '../../api/patiently.ts';

/** As many as the server takes at once. */
const atOnce = 100;

/** It does four at a time, and a network may take ten seconds to confirm that a number is unlinked. */
const patienceMs = 300_000;

/** One action for many records. */
export interface BulkRequest {
  /** Of the list. */
  readonly path: BulkPath;
  /** The action with what belongs to it. */
  readonly body: Readonly<Record<string, unknown>> & { readonly action: string };
  readonly account?: string;
}

interface BulkPreview extends BulkRequest {
  readonly ids: readonly string[];
  readonly signal?: AbortSignal;
}

/** Asks what would become of each, so many records at a time. */
export async function previewBulk({ path, body, account, ids, signal }: BulkPreview): Promise<readonly BulkResult[]> {
  const results: BulkResult[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const part = { ...body, ids: ids.slice(from, from + atOnce), preview: true };
    const view = await patiently(() => call(`POST ${path}/bulk`, { body: part, account, signal }));
    results.push(...view.results);
  }
  return results;
}

interface BulkRun extends BulkRequest {
  /** As they were last looked at. */
  readonly records: readonly BulkResult[];
  /** What is sent about these besides. */
  about?(ids: readonly string[]): object;
  /** Told how many are done so far. */
  onProgress?(done: number): void;
}

interface BulkRan {
  readonly results: readonly BulkResult[];
  /** The failure that ended it early; null: everything was asked for. */
  readonly stopped: unknown;
}

/** Does the action, so many records at a time. Throws only what stopped it before anything can have been done. */
export async function runBulk({ path, body, account, records, about, onProgress }: BulkRun): Promise<BulkRan> {
  const results: BulkResult[] = [];
  const portions = portionsOf(records);
  for (const [place, some] of portions.entries()) {
    const ids = some.map(({ id }) => id);
    const part = { ...body, ...about?.(ids), ids, preview: false };
    try {
      const view = await patiently(() => call(`POST ${path}/bulk`, { body: part, account, timeoutMs: patienceMs }));
      results.push(...view.results);
    } catch (error) {
      const outcome = isRefusal(error) ? 'failed' : 'unknown';
      if (results.length === 0 && outcome === 'failed') throw error;
      const left = portions.slice(place + 1).flat();
      return { results: [...results, ...some.map(endedAs(outcome)), ...left.map(endedAs('failed'))], stopped: error };
    }
    onProgress?.(results.length);
  }
  return { results, stopped: null };
}

/** Whether the server refused the request before it did anything. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500;
}

function endedAs(outcome: 'failed' | 'unknown') {
  return (record: BulkResult): BulkResult => ({ ...record, outcome, reason: null, link: null });
}

/** What is asked for at once. The numbers of an account stay together where they fit: each request mails its owners once. */
function portionsOf(records: readonly BulkResult[]): readonly (readonly BulkResult[])[] {
  const together = Map.groupBy(records, ({ id, mail_account_id }) => mail_account_id ?? id);
  const portions: BulkResult[][] = [];
  for (const some of together.values()) {
    for (let from = 0; from < some.length; from += atOnce) {
      const part = some.slice(from, from + atOnce);
      const last = portions.at(-1);
      if (last !== undefined && last.length + part.length <= atOnce) last.push(...part);
      else portions.push(part);
    }
  }
  return portions;
}
