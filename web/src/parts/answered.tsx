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
  readonly children: (data: Data) => ReactNode;
}

/** Shows the answer of a query, and says when it could not be refreshed. Before the first answer it shows the placeholder or the failure. */
export function Answered<Data>({ query, loading, inWords = (error) => error, children }: AnsweredProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined) {
    return (
      <>
        <RefreshFailed query={query} />
        {children(data)}
      </>
    );
  }
  if (error === null) return loading;
  return (
    <Stack align="flex-start">
      <FailureAlert error={inWords(error)} />
      <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
        {t('Try again')}
      </Button>
    </Stack>
  );
}
