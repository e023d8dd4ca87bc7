import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { NumberImport } from '../../../../../src/portal/wire/customers.ts';
import { call } from '../../../api/client.ts';
import { operatorKey } from '../../../api/queries.ts';

/** The programs whose numbers can be uploaded. */
export type PeerKind = 'baileys' | 'waha' | 'whatsmeow';

/** What is uploaded, and where its numbers go. */
export interface ChosenUpload {
  readonly kind: PeerKind;
  /** null: the table says it. */
  readonly accountId: string | null;
  readonly table: File | null;
  readonly file: File;
}

/** Checks an upload, and imports it: the file is sent each time, because the server keeps none. */
export function useNumberImport() {
  const queryClient = useQueryClient();
  const check = useMutation({ mutationFn: (upload: ChosenUpload) => send(upload, { check: true }) });
  const work = useMutation({
    mutationFn: (upload: ChosenUpload) => send(upload, { check: false, stopped: true }),
    // Also after a failure: some may be there.
    onSettled: () => queryClient.invalidateQueries({ queryKey: operatorKey }),
  });
  return {
    /** null: nothing was checked yet. */
    checked: check.data?.numbers ?? null,
    checking: check.isPending,
    importing: work.isPending,
    /** null: nothing was imported yet. */
    done: work.data?.numbers ?? null,
    error: check.error ?? work.error,
    check(upload: ChosenUpload) {
      work.reset();
      check.mutate(upload);
    },
    start: work.mutate,
    forget() {
      check.reset();
      work.reset();
    },
  };
}

function send({ kind, accountId, table, file }: ChosenUpload, step: { check: boolean; stopped?: boolean }): Promise<NumberImport> {
  return call('POST /portal/api/operator/numbers/import', {
    query: {
      ...{ kind, file_name: file.name, ...step },
      ...(table === null ? { account_id: accountId } : { table_bytes: table.size }),
    },
    body: table === null ? file : new Blob([table, file]),
    timeoutMs: 600_000,
  });
}
