import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import type { BulkResult } from '../../../../src/portal/wire/listing.ts';
import { accountsKey, operatorKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../dialog.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { ListLoading } from '../list-parts.tsx';
import { BulkResults, Skipped } from './bulk-results.tsx';
import { withOutcome } from './outcomes.ts';
import { type BulkRequest, previewBulk, runBulk } from './run-bulk.ts';

/** What would happen is asked for after a pause of this length in typing. */
const pauseMs = 300;

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
  /** Called after each run, with what became of each. */
  onRan(results: readonly BulkResult[]): void;
  onClose(): void;
  /** Called when the dialog is gone after a run, with those that were not done, or perhaps not. */
  onDone(left: readonly string[]): void;
}

/** Says what will happen to how many records and which are skipped, does it, and then shows what became of each. */
export function BulkDialog(props: BulkDialogProps) {
  const { opened, title, onClose, onDone } = props;
  const [busy, setBusy] = useState(false);
  const [links, setLinks] = useState(false);
  const left = useRef<readonly string[] | null>(null);
  const closed = () => {
    if (left.current !== null) onDone(left.current);
    left.current = null;
  };
  return (
    <Dialog opened={opened} onClose={onClose} onClosed={closed} title={title} busy={busy} shownOnce={links} size="lg">
      <Asked
        {...props}
        onBusy={setBusy}
        onLinks={setLinks}
        onRan={(ran, all) => {
          left.current = withOutcome(all, 'failed', 'unknown').map(({ id }) => id);
          props.onRan(ran);
        }}
      />
    </Dialog>
  );
}

interface AskedProps extends Omit<BulkDialogProps, 'onRan'> {
  /** Told of the records of the last run, and of all. */
  onRan(ran: readonly BulkResult[], all: readonly BulkResult[]): void;
  onBusy(busy: boolean): void;
  onLinks(shown: boolean): void;
}

interface Run {
  readonly records: readonly BulkResult[];
  /** What was skipped or done before, and is told with what becomes of these. */
  readonly others: readonly BulkResult[];
}

function Asked({ request, ids, children, confirm, danger = false, ready = true, outlook, onRan, onClose, onBusy, onLinks }: AskedProps) {
  const queryClient = useQueryClient();
  const [soFar, setSoFar] = useState(0);
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const asked = JSON.stringify(request);
  const [settled] = useDebouncedValue(asked, pauseMs);
  const run = useMutation({
    async mutationFn({ records }: Run) {
      onBusy(true);
      setSoFar(0);
      return runBulk({ ...request, records, onProgress: setSoFar });
    },
    onSuccess({ results: ran }, { others }) {
      const all = [...ran, ...others];
      onRan(ran, all);
      onLinks(all.some(({ link }) => link !== null));
      if (all.every(({ outcome, link }) => outcome === 'done' && link === null)) onClose();
      else setResults(all);
    },
    async onSettled() {
      onBusy(false);
      await Promise.all([accountsKey, operatorKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  const look = useQuery({
    queryKey: ['bulk', request, ids],
    queryFn: ({ signal }) => previewBulk({ ...request, ids, signal }),
    // Not while it is done: what is done already would be skipped.
    enabled: ready && asked === settled && results === null && (run.isIdle || run.isError),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

  if (results !== null) {
    // Those in doubt are not repeated: an account would be extended twice.
    const failed = withOutcome(results, 'failed');
    return (
      <Stack>
        <BulkResults results={results} />
        <FailureAlert error={run.error ?? run.data?.stopped} />
        <Group justify="flex-end">
          {failed.length > 0 && (
            <Button
              variant="default"
              onClick={() => run.mutate({ records: failed, others: withOutcome(results, 'done', 'skipped', 'unknown') })}
              loading={run.isPending}
            >
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
  const possible = withOutcome(look.data ?? [], 'possible');
  return (
    <Stack>
      {children}
      {ready && look.data === undefined && look.error === null && <ListLoading label={t('Checking what would happen')} rows={1} />}
      {look.data !== undefined && outlook?.(look.data)}
      {look.data !== undefined && <Skipped results={look.data} />}
      <FailureAlert error={look.error ?? run.error} />
      {run.isPending && <Progress value={(100 * soFar) / Math.max(1, possible.length)} aria-label={t('Done so far')} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} disabled={run.isPending}>
          {t('Cancel')}
        </Button>
        <Button
          {...(danger ? { color: 'red' } : {})}
          disabled={!ready || possible.length === 0}
          loading={run.isPending}
          onClick={() => run.mutate({ records: possible, others: withOutcome(look.data ?? [], 'skipped') })}
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
