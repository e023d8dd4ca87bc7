import type { BulkResult } from '../../../../src/portal/wire/listing.ts';
import { call } from '../../api/client.ts';
import type { BulkPath } from '../../api/endpoints.ts';

/** As many as the server takes at once. */
const atOnce = 100;

/** One action for many records. */
export interface BulkRequest {
  /** Of the list. */
  readonly path: BulkPath;
  /** The action with what belongs to it. */
  readonly body: Readonly<Record<string, unknown>> & { readonly action: string };
  readonly account?: string;
}

interface BulkRun extends BulkRequest {
  readonly ids: readonly string[];
  /** What is sent about these besides. */
  about?(ids: readonly string[]): object;
  /** Only asks what would become of each. */
  readonly preview?: boolean;
  /** Told what is done so far. */
  onProgress?(results: readonly BulkResult[]): void;
}

/** Asks for the action, so many records at a time. Throws what stopped it; what was done before stays done. */
export async function runBulk({ path, body, account, ids, about, preview = false, onProgress }: BulkRun): Promise<readonly BulkResult[]> {
  const results: BulkResult[] = [];
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    const part = { ...body, ...about?.(some), ids: some, preview };
    const view = await call(`POST ${path}/bulk`, { body: part, account });
    results.push(...view.results);
    onProgress?.([...results]);
  }
  return results;
}

/** The ids of those that came to this. */
export function idsWith(results: readonly BulkResult[], outcome: BulkResult['outcome']): readonly string[] {
  return results.filter((one) => one.outcome === outcome).map(({ id }) => id);
}
