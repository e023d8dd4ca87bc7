import { Button, Center, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { Answered } from '../../parts/answered.tsx';
import { AuditList, AuditLoading } from '../../parts/audit/audit-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';

const changesQuery = infiniteQueryOptions({
  queryKey: ['audit'],
  queryFn: ({ signal, pageParam }) =>
    call<{ readonly entries: readonly AuditEntry[]; readonly before: string | null }>(
      `/portal/api/audit?limit=30${pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`}`,
      { signal },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ before }) => before,
});

/** Who changed what of this account, newest first. */
export function ChangesPart() {
  const changes = useInfiniteQuery(changesQuery);
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        Who changed what in this account: numbers, keys, people and the plan. Entries stay for 400 days and cannot be changed.
      </Text>
      <Answered query={changes} loading={<AuditLoading rows={6} />}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0) {
            return (
              <EmptyState
                icon={<IconHistory size={28} />}
                title="No changes yet"
                text="Every change of this account will be listed here."
              />
            );
          }
          return (
            <>
              <AuditList entries={entries} />
              <FailureAlert error={changes.error} />
              {changes.hasNextPage && (
                <Center>
                  <Button variant="default" onClick={() => void changes.fetchNextPage()} loading={changes.isFetchingNextPage}>
                    Show older changes
                  </Button>
                </Center>
              )}
            </>
          );
        }}
      </Answered>
    </Stack>
  );
}
