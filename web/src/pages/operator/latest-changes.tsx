import { useQuery } from '@tanstack/react-query';
import { linkOptions } from '@tanstack/react-router';
import { LatestChanges, latestChanges } from '../../parts/audit/latest-changes.tsx';
import { listQuery } from '../../parts/list/use-list.ts';
import { auditKey, auditPath, useChangedProviders } from './queries.ts';

interface LatestInReachProps {
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

/** The latest changes that fit a filter, of everything that the reader administers. */
export function LatestInReach({ filter, ...shown }: LatestInReachProps) {
  const audit = useQuery(listQuery(auditKey, auditPath, { ...filter, limit: String(latestChanges) }));
  const names = useChangedProviders(audit.data?.rows);
  return <LatestChanges query={audit} log={linkOptions({ to: '/operator/audit', search: filter })} administers names={names} {...shown} />;
}
