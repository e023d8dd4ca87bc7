import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccountImport, ImportedLine } from '../../../../../src/portal/wire/customers.ts';
import { call } from '../../../api/client.ts';
import { patiently } from '../../../api/patiently.ts';
import { operatorKey } from '../../../api/queries.ts';

/** A file that was read, and where its accounts go; null: where the server puts them. */
export interface ChosenFile {
  readonly name: string;
  readonly csv: string;
  readonly providerId: string | null;
}

export type ImportWork = ReturnType<typeof useImport>;

/** Checks a file of accounts, and imports it step by step. */
export function useImport() {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<readonly ImportedLine[]>([]);
  const check = useMutation({ mutationFn: (file: ChosenFile) => ask(file, { check: true }) });
  const work = useMutation({
    async mutationFn(file: ChosenFile) {
      const lines: ImportedLine[] = [];
      for (let after: number | null = 0; after !== null; ) {
        const from: number = after;
        // The mails of a minute are bounded.
        const step: AccountImport = await patiently(() => ask(file, { check: false, after_line: from }));
        lines.push(...step.lines);
        setMade([...lines]);
        after = step.after_line;
      }
      return lines;
    },
    // Also after a failure: some may be there.
    onSettled: () => queryClient.invalidateQueries({ queryKey: operatorKey }),
  });
  const ready = (check.data?.lines ?? []).filter(({ state }) => state === 'ready');
  const last = made.at(-1)?.line ?? 0;
  return {
    /** What the check found; null: nothing was checked yet. */
    checked: check.data?.lines ?? null,
    checking: check.isPending,
    /** Of the check. */
    error: check.error,
    importing: work.isPending,
    /** How many lines are to be imported, and how many of them are done. */
    ready: ready.length,
    progress: made.length,
    /** What became of the lines; null: the import has not ended. After a failure it has, and `left` are those it did not come to. */
    done: work.data ?? (work.isError ? made : null),
    failure: work.error,
    left: ready.filter(({ line }) => line > last),
    check: check.mutate,
    forget() {
      check.reset();
      work.reset();
    },
    start: work.mutate,
  };
}

function ask({ csv, providerId }: ChosenFile, step: { readonly check: boolean; readonly after_line?: number }): Promise<AccountImport> {
  return call('POST /portal/api/operator/accounts/import', {
    body: { csv, ...step, ...(providerId === null ? {} : { provider_id: providerId }) },
    timeoutMs: 300_000,
  });
}
