import { IconHistory } from '@tabler/icons-react';
import type { AuditEntry, ListView } from '../../../../src/portal/wire/index.ts';
import { Answered } from '../answered.tsx';
import { EmptyState } from '../empty-state.tsx';
import { ListPager } from '../list/list-pager.tsx';
import { NothingFits } from '../nothing-fits.tsx';
import { AuditList, AuditLoading } from './audit-list.tsx';

interface AuditPagesProps {
  /** The result of a query hook. */
  readonly query: {
    readonly data: ListView<AuditEntry> | undefined;
    readonly error: unknown;
    readonly dataUpdatedAt: number;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** The text while there is no entry. */
  readonly none: { readonly title: string; readonly text: string };
  /** Said instead when a filter leaves nothing. */
  readonly nothingFits?: string | undefined;
  readonly accounts?: boolean;
  readonly administers?: boolean;
  readonly names?: Readonly<Record<string, string>>;
  onPage(place: { readonly after?: string; readonly before?: string }): void;
}

/** A page of the audit log. */
export function AuditPages({ query, none, nothingFits, onPage, ...list }: AuditPagesProps) {
  return (
    <Answered query={query} loading={<AuditLoading rows={8} />}>
      {(page) => {
        if (page.rows.length === 0)
          return nothingFits === undefined ? (
            <EmptyState icon={<IconHistory size={28} />} {...none} />
          ) : (
            <NothingFits>{nothingFits}</NothingFits>
          );
        return (
          <>
            <AuditList entries={page.rows} {...list} />
            <ListPager page={page} onPage={onPage} />
          </>
        );
      }}
    </Answered>
  );
}
