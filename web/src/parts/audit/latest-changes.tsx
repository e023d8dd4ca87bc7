import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ListView } from '../../../../src/portal/wire/listing.ts';
import type { AuditEntry } from '../../../../src/portal/wire/operator.ts';
import { Answered } from '../answered.tsx';
import { EmptyPanel } from '../empty-panel.tsx';
import { Section } from '../section.tsx';
import { AuditList, type AuditListProps, AuditLoading } from './audit-list.tsx';

/** How many changes are shown before the whole log is opened. */
export const latestChanges = 5;

interface LatestChangesProps extends Omit<AuditListProps, 'entries'> {
  readonly title: string;
  /** Asks for so many. */
  readonly query: UseQueryResult<ListView<AuditEntry>>;
  /** What leads to the log with all of them. */
  readonly all: string;
  readonly log: LinkProps;
  /** Said when there are none. */
  readonly none: string;
}

/** The latest changes of one thing or person, with the way to all of them. */
export function LatestChanges({ title, query, all, log, none, ...list }: LatestChangesProps) {
  return (
    <Section
      title={title}
      actions={
        <Button renderRoot={(props) => <Link {...log} {...props} />} variant="subtle" size="compact-sm">
          {all}
        </Button>
      }
    >
      <Answered query={query} loading={<AuditLoading rows={latestChanges} />}>
        {({ rows }) => (rows.length === 0 ? <EmptyPanel>{none}</EmptyPanel> : <AuditList entries={rows} {...list} />)}
      </Answered>
    </Section>
  );
}
