import { type AdmissionRow, admitted } from '../admission.ts';
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

  function answer(): void {
    const batch = waiting;
    waiting = [];
    try {
      const calls = batch.map(({ call }) => call);
      const hashes = new Set(calls.map(({ keyHash }) => keyHash));
      const { answers, uses } = admitted(calls, new Map(Array.from(hashes, (hash) => [hash, admitKey.get<AdmissionRow>({ hash })])));
      for (const [id, at] of uses) {
        if (touching.get(id) === at) continue;
        touching.set(id, at);
        // The store reports its failures itself; the next use is recorded again.
        const ended = () => touching.delete(id);
        touch({ id, at }).then(ended, ended);
      }
      for (const [place, { resolve }] of batch.entries()) resolve(answers[place] ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(explain(error));
    }
  }

  return (call) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ call, resolve, reject }) === 1) setImmediate(answer);
    });
}
