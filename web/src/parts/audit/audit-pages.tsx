import { Button, Center } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { Answered } from '../answered.tsx';
import { EmptyState } from '../empty-state.tsx';
import { FailureAlert } from '../failure-alert.tsx';
import { AuditList, AuditLoading } from './audit-list.tsx';

interface AuditPagesProps {
  /** The result of an infinite query hook. */
  readonly query: {
    readonly data: { readonly pages: readonly { readonly entries: readonly AuditEntry[] }[] } | undefined;
    readonly error: unknown;
    readonly dataUpdatedAt: number;
    readonly isFetching: boolean;
    /** Loading older entries failed; those on screen are current. */
    readonly isFetchNextPageError: boolean;
    readonly isFetchingNextPage: boolean;
    readonly hasNextPage: boolean;
    refetch(): unknown;
    fetchNextPage(): unknown;
  };
  /** The text while there is no entry. */
  readonly none: { readonly title: string; readonly text: string };
  readonly accounts?: boolean;
  readonly names?: Readonly<Record<string, string>>;
}

/** The audit log from its newest entry on, older ones on demand. */
export function AuditPages({ query, none, ...list }: AuditPagesProps) {
  return (
    <Answered query={query.isFetchNextPageError ? { ...query, error: null } : query} loading={<AuditLoading rows={8} />}>
      {({ pages }) => {
        const entries = pages.flatMap((page) => page.entries);
        if (entries.length === 0) return <EmptyState icon={<IconHistory size={28} />} {...none} />;
        return (
          <>
            <AuditList entries={entries} {...list} />
            <FailureAlert error={query.isFetchNextPageError ? query.error : null} />
            {query.hasNextPage && (
              <Center>
                <Button variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                  Show older changes
                </Button>
              </Center>
            )}
          </>
        );
      }}
    </Answered>
  );
}
