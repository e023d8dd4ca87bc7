import { Button, Paper, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Answered } from '../../parts/answered.tsx';
import { AuditList, AuditLoading } from '../../parts/audit/audit-list.tsx';
import { auditQuery, useProviderNames } from './queries.ts';
import { Section } from './section.tsx';

/** How many changes are shown before the whole log is opened. */
const latest = 5;

/** The latest changes of one account. */
export function AccountAudit({ accountId }: { readonly accountId: string }) {
  const names = useProviderNames();
  const audit = useInfiniteQuery(auditQuery({ accountId, limit: latest }));
  return (
    <Section
      title="Latest changes"
      actions={
        <Button
          renderRoot={(props) => <Link to="/operator/audit" search={{ account: accountId }} {...props} />}
          variant="subtle"
          size="compact-sm"
        >
          All changes of this account
        </Button>
      }
    >
      <Answered query={audit} loading={<AuditLoading rows={latest} />}>
        {({ pages: [page] }) =>
          page === undefined || page.entries.length === 0 ? (
            <Paper withBorder radius="lg" p="lg">
              <Text size="sm" c="dimmed">
                Nothing was changed in the last 400 days.
              </Text>
            </Paper>
          ) : (
            <AuditList entries={page.entries} names={names} />
          )
        }
      </Answered>
    </Section>
  );
}
