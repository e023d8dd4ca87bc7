import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { BulkResult } from '../../../../src/portal/wire/listing.ts';
import { accountsKey, operatorKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../dialog.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { ListLoading } from '../list-parts.tsx';
import { BulkResults, Skipped } from './bulk-results.tsx';
import { type BulkRequest, idsWith, runBulk } from './run-bulk.ts';

interface BulkDialogProps {
  readonly opened: boolean;
  readonly request: BulkRequest;
  readonly ids: readonly string[];
  readonly title: string;
  /** What happens, and what is lost. */
  readonly children: ReactNode;
  /** The button's word; told how many it will be done to. */
  confirm(count: number): string;
  readonly danger?: boolean;
  /** What cannot be known before these are filled in. */
  readonly ready?: boolean;
  /** What it will make of each, from what was looked at. */
  outlook?(results: readonly BulkResult[]): ReactNode;
  /** Called when everything is over, with what became of each. */
  onRan(results: readonly BulkResult[]): void;
  onClose(): void;
  /** Called when the dialog is gone after something was done. */
  onDone(): void;
}

/** Says what will happen to how many records and which are skipped, does it, and then shows what became of each. */
export function BulkDialog(props: BulkDialogProps) {
  const { opened, title, onClose, onDone } = props;
  const [busy, setBusy] = useState(false);
  const [links, setLinks] = useState(false);
  const ran = useRef(false);
  const closed = () => {
    if (ran.current) onDone();
    ran.current = false;
  };
  return (
    <Dialog opened={opened} onClose={onClose} onClosed={closed} title={title} busy={busy} shownOnce={links} size="lg">
      <Asked
        {...props}
        onBusy={setBusy}
        onLinks={setLinks}
        onRan={(results) => {
          ran.current = true;
          props.onRan(results);
        }}
      />
    </Dialog>
  );
}

function Asked({
  request,
  ids,
  children,
  confirm,
  danger = false,
  ready = true,
  outlook,
  onRan,
  onClose,
  onBusy,
  onLinks,
}: BulkDialogProps & { onBusy(busy: boolean): void; onLinks(shown: boolean): void }) {
  const queryClient = useQueryClient();
  const [soFar, setSoFar] = useState<readonly BulkResult[]>([]);
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const look = useQuery({
    queryKey: ['bulk', request, ids],
    queryFn: () => runBulk({ ...request, ids, preview: true }),
    enabled: ready && results === null,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const run = useMutation({
    async mutationFn(wanted: readonly string[]) {
      onBusy(true);
      setSoFar([]);
      return runBulk({ ...request, ids: wanted, onProgress: setSoFar });
    },
    onSuccess(done) {
      // What was skipped before is told with what was done now.
      const skipped =
        results === null
          ? (look.data ?? []).filter(({ outcome }) => outcome === 'skipped')
          : results.filter(({ outcome }) => outcome !== 'failed');
      const all = [...done, ...skipped];
      onRan(done);
      onLinks(all.some(({ link }) => link !== null));
      if (all.every(({ outcome, link }) => outcome === 'done' && link === null)) onClose();
      else setResults(all);
    },
    // Some of it may have been done.
    onError: () => look.refetch(),
    async onSettled() {
      onBusy(false);
      await Promise.all([accountsKey, operatorKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });

  if (results !== null) {
    const failed = idsWith(results, 'failed');
    return (
      <Stack>
        <BulkResults results={results} />
        <FailureAlert error={run.error} />
        <Group justify="flex-end">
          {failed.length > 0 && (
            <Button variant="default" onClick={() => run.mutate(failed)} loading={run.isPending}>
              {t('Retry those that failed')}
            </Button>
          )}
          <Button
            onClick={() => {
              onLinks(false);
              onClose();
            }}
            disabled={run.isPending}
            data-autofocus
          >
            {t('Close')}
          </Button>
        </Group>
      </Stack>
    );
  }
  const possible = look.data === undefined ? [] : idsWith(look.data, 'possible');
  return (
    <Stack>
      {children}
      {ready && look.data === undefined && look.error === null && <ListLoading label={t('Checking what would happen')} rows={1} />}
      {look.data !== undefined && outlook?.(look.data)}
      {look.data !== undefined && <Skipped results={look.data} />}
      <FailureAlert error={look.error ?? run.error} />
      {run.isPending && <Progress value={(100 * soFar.length) / Math.max(1, possible.length)} aria-label={t('Done so far')} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={run.isPending}>
          {t('Cancel')}
        </Button>
        <Button
          {...(danger ? { color: 'red' } : {})}
          disabled={!ready || possible.length === 0}
          loading={run.isPending}
          onClick={() => run.mutate(possible)}
        >
          {look.data === undefined ? confirm(ids.length) : confirm(possible.length)}
        </Button>
      </Group>
      {look.data !== undefined && possible.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('There is nothing to do.')}
        </Text>
      )}
    </Stack>
  );
}
