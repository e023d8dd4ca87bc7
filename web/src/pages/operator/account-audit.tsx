import { Button, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { AuditList, AuditLoading } from '../../parts/audit/audit-list.tsx';
import { listQuery } from '../../parts/list/use-list.ts';
import { auditKey, auditPath, useChangedProviders } from './queries.ts';
import { Section } from './section.tsx';

/** How many changes are shown before the whole log is opened. */
const latest = 5;

/** The latest changes of one account. */
export function AccountAudit({ accountId }: { readonly accountId: string }) {
  const audit = useQuery(listQuery<AuditEntry>(auditKey, auditPath, { account_id: accountId, limit: String(latest) }));
  const names = useChangedProviders(audit.data?.rows);
  return (
    <Section
      title={t('Latest changes')}
      actions={
        <Button
          renderRoot={(props) => <Link to="/operator/audit" search={{ account_id: accountId }} {...props} />}
          variant="subtle"
          size="compact-sm"
        >
          {t('All changes to this account')}
        </Button>
      }
    >
      <Answered query={audit} loading={<AuditLoading rows={latest} />}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Paper withBorder radius="lg" p="lg">
              <Text size="sm" c="dimmed">
                {t('Nothing was changed in the last 400 days.')}
              </Text>
            </Paper>
          ) : (
            <AuditList entries={rows} administers names={names} />
          )
        }
      </Answered>
    </Section>
  );
}
