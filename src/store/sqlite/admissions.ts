import { type AdmissionRow, hasExpired, useToNote } from '../admission.ts';
import type { Admission, AdmitCall } from '../hot-path.ts';
import type { Prepared } from './prepared.ts';

interface Waiting {
  readonly call: AdmitCall;
  resolve(admission: Admission | null): void;
  reject(error: unknown): void;
}

interface AdmissionsOptions {
  readonly admitKey: Prepared<'hash'>;
  /** Notes the use of a key. No request waits for it or fails with it. */
  readonly touch: (use: { readonly id: string; readonly at: number }) => Promise<void>;
  readonly explain: (error: unknown) => unknown;
}

/**
 * Makes the admission operation. It only reads, so it waits for nobody who writes; the calls of a turn of the event loop share one look at
 * each key, and are answered together.
 */
export function createAdmissions({ admitKey, touch, explain }: AdmissionsOptions): (call: AdmitCall) => Promise<Admission | null> {
  let waiting: Waiting[] = [];
  /** The uses that are being noted, by key. */
  const touching = new Map<string, number>();

  function noteUse(row: AdmissionRow, call: AdmitCall): void {
    const at = useToNote(row, call);
    if (at === null || (touching.get(row.keyId) ?? Number.NEGATIVE_INFINITY) >= at) return;
    touching.set(row.keyId, at);
    const ended = () => {
      if (touching.get(row.keyId) === at) touching.delete(row.keyId);
    };
    // The store reports its failures itself; the next use is recorded again.
    touch({ id: row.keyId, at }).then(ended, ended);
  }

  function answer(): void {
    const calls = waiting;
    waiting = [];
    const rows = new Map<string, AdmissionRow | null>();
    for (const { call, resolve, reject } of calls) {
      try {
        let row = rows.get(call.keyHash);
        if (row === undefined) {
          row = admitKey.get<AdmissionRow>({ hash: call.keyHash }) ?? null;
          rows.set(call.keyHash, row);
        }
        if (row === null || hasExpired(row, call)) resolve(null);
        else {
          noteUse(row, call);
          resolve(row);
        }
      } catch (error) {
        reject(explain(error));
      }
    }
  }

  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ call, resolve, reject }) === 1) setImmediate(answer);
    });
}
