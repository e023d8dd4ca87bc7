import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../language/language.ts';
import { FailureAlert } from './failure-alert.tsx';
import { RefreshFailed } from './refresh-failed.tsx';

export interface AnsweredProps<Data> {
  /** The result of a query hook. */
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly dataUpdatedAt: number;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** The placeholder until the first answer, about as large as the answer. */
  readonly loading: ReactNode;
  /** Rewords a failure. */
  readonly inWords?: (error: unknown) => unknown;
  /** Draws a refresh only when it brings something new: for lists, whose rows take longer to draw than to ask for. Ages in them keep themselves current. */
  readonly onlyWhenNew?: boolean;
  readonly children: (data: Data) => ReactNode;
}

/** Shows the answer of a query, and says when it could not be refreshed. Before the first answer it shows the placeholder or the failure. */
export function Answered<Data>({ query, loading, inWords = (error) => error, onlyWhenNew = false, children }: AnsweredProps<Data>) {
  // Whatever is read of a query draws everything below anew when it changes.
  if (query.data !== undefined) {
    return (
      <>
        {(!onlyWhenNew || query.error !== null) && <RefreshFailed query={query} />}
        {children(query.data)}
      </>
    );
  }
  if (query.error === null) return loading;
  return (
    <Stack align="flex-start">
      <FailureAlert error={inWords(query.error)} />
      <Button variant="default" onClick={() => void query.refetch()} loading={query.isFetching}>
        {t('Try again')}
      </Button>
    </Stack>
  );
}
