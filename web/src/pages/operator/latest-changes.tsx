import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../src/portal/wire/index.ts';
import { Answered } from '../../parts/answered.tsx';
import { AuditList, AuditLoading } from '../../parts/audit/audit-list.tsx';
import { EmptyPanel } from '../../parts/empty-panel.tsx';
import { listQuery } from '../../parts/list/use-list.ts';
import { auditKey, auditPath, useChangedProviders } from './queries.ts';
import { Section } from './section.tsx';

/** How many changes are shown before the whole log is opened. */
const latest = 5;

interface LatestChangesProps {
  readonly title: string;
  /** Whose changes: the filter of the audit log. */
  readonly filter: { readonly account_id: string } | { readonly actor: string };
  /** What leads to the log with all of them. */
  readonly all: string;
  /** Said when there are none. */
  readonly none: string;
  /** Whether each change names its account. */
  readonly accounts?: boolean;
}

/** The latest changes that fit a filter, with the way to all of them. */
export function LatestChanges({ title, filter, all, none, accounts = false }: LatestChangesProps) {
  const audit = useQuery(listQuery<AuditEntry>(auditKey, auditPath, { ...filter, limit: String(latest) }));
  const names = useChangedProviders(audit.data?.rows);
  return (
    <Section
      title={title}
      actions={
        <Button renderRoot={(props) => <Link to="/operator/audit" search={filter} {...props} />} variant="subtle" size="compact-sm">
          {all}
        </Button>
      }
    >
      <Answered query={audit} loading={<AuditLoading rows={latest} />}>
        {({ rows }) =>
          rows.length === 0 ? <EmptyPanel>{none}</EmptyPanel> : <AuditList entries={rows} accounts={accounts} administers names={names} />
        }
      </Answered>
    </Section>
  );
}
