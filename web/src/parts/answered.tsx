import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureAlert } from './failure-alert.tsx';
import { RefreshFailed } from './refresh-failed.tsx';

interface AnsweredProps<Data> {
  /** What a query hook gave. */
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly dataUpdatedAt: number;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** Shown until the first answer, about as large as it. */
  readonly loading: ReactNode;
  /** What went wrong in other words than the answer's own. */
  readonly inWords?: (error: unknown) => unknown;
  readonly children: (data: Data) => ReactNode;
}

/** Shows an answer once it is there, and says when it could not be refreshed; before that its stand-in, or what went wrong. */
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
        Try again
      </Button>
    </Stack>
  );
}
