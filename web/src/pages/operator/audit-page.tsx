import { Button, Center, Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Answered } from '../../parts/answered.tsx';
import { AuditList, AuditLoading } from '../../parts/audit/audit-list.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { AccountSelect } from './place-selects.tsx';
import { auditQuery, useProviderNames } from './queries.ts';

const pageSize = 50;

/** Everything that was changed: who, when, what, and from what to what. */
export default function AuditPage() {
  const { account } = useSearch({ from: '/signed-in/operator/audit' });
  const navigate = useNavigate({ from: '/operator/audit' });
  const names = useProviderNames();
  const audit = useInfiniteQuery(auditQuery({ accountId: account, limit: pageSize }));
  return (
    <>
      <PageHeader
        title="Audit log"
        text="Who changed what, on the pages, with a key or on the command line. Entries stay for 400 days and cannot be changed."
      />
      <Stack>
        <AccountSelect
          label="Account"
          placeholder="All accounts"
          value={account ?? null}
          onChange={(chosen) => void navigate({ search: chosen === null ? {} : { account: chosen } })}
        />
        <Answered query={audit} loading={<AuditLoading rows={8} />}>
          {({ pages }) => {
            const entries = pages.flatMap((page) => page.entries);
            return entries.length === 0 ? (
              <EmptyState
                icon={<IconHistory size={28} />}
                title="No changes"
                text="Every change of accounts, plans, people, keys and numbers will be listed here."
              />
            ) : (
              <>
                <AuditList entries={entries} accounts names={names} />
                <FailureAlert error={audit.error} />
                {audit.hasNextPage && (
                  <Center>
                    <Button variant="default" onClick={() => void audit.fetchNextPage()} loading={audit.isFetchingNextPage}>
                      Show older changes
                    </Button>
                  </Center>
                )}
              </>
            );
          }}
        </Answered>
      </Stack>
    </>
  );
}
