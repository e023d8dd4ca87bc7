import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { AuditPages } from '../../parts/audit/audit-pages.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { AccountSelect } from './place-selects.tsx';
import { auditQuery, useProviderNames } from './queries.ts';

const pageSize = 50;

/** The audit log of everything the person administers. */
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
        <AuditPages
          query={audit}
          none={{ title: 'No changes', text: 'Every change of accounts, plans, people, keys and numbers will be listed here.' }}
          accounts
          names={names}
        />
      </Stack>
    </>
  );
}
