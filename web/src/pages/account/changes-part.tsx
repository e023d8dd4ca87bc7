import { Stack, Text } from '@mantine/core';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { AuditPages } from '../../parts/audit/audit-pages.tsx';
import { useAccountId } from '../../session/session.ts';

function changesQuery(accountId: string) {
  return infiniteQueryOptions({
    queryKey: accountKey(accountId, 'audit'),
    queryFn: ({ signal, pageParam }) =>
      call<{ readonly entries: readonly AuditEntry[]; readonly before: string | null }>(
        `/portal/api/audit?limit=30${pageParam === null ? '' : `&before=${encodeURIComponent(pageParam)}`}`,
        { account: accountId, signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ before }) => before,
  });
}

/** Who changed what of this account, newest first. */
export function ChangesPart() {
  const changes = useInfiniteQuery(changesQuery(useAccountId()));
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        Who changed what in this account: numbers, keys, people and the plan. Entries stay for 400 days and cannot be changed.
      </Text>
      <AuditPages query={changes} none={{ title: 'No changes yet', text: 'Every change of this account will be listed here.' }} />
    </Stack>
  );
}
