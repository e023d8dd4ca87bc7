import type { ReactNode } from 'react';
import { isMissing } from '../api/is-missing.ts';
import { Answered, type AnsweredProps } from './answered.tsx';
import { EmptyState } from './empty-state.tsx';
import { PageHeader } from './page-header.tsx';

interface ObjectPageProps<Found> extends Pick<AnsweredProps<Found>, 'query' | 'loading' | 'children'> {
  /** The way to the list of all. */
  readonly back?: ReactNode;
  /** The title while nothing is known of it. */
  readonly title: string;
  readonly titleOf?: (found: Found) => string;
  readonly textOf?: (found: Found) => ReactNode;
  /** The page's main buttons. */
  readonly actions?: (found: Found) => ReactNode;
  /** What stands there in any case, beside them. */
  readonly tools?: ReactNode;
  /** Said when there is no such thing, or none that the person may see. */
  readonly missing?: { readonly icon: ReactNode; readonly title: string; readonly text: ReactNode };
}

/** The page of one thing. */
export function ObjectPage<Found>(props: ObjectPageProps<Found>) {
  const { back, query, title, titleOf, textOf, actions, tools, missing, loading, children } = props;
  const gone = missing !== undefined && isMissing(query.error);
  const found = gone ? undefined : query.data;
  const text = found === undefined ? undefined : textOf?.(found);
  const buttons = found === undefined ? undefined : actions?.(found);
  return (
    <>
      {back}
      <PageHeader title={found === undefined ? title : (titleOf?.(found) ?? title)} {...(text === undefined ? {} : { text })}>
        {(tools || buttons) && (
          <>
            {tools}
            {buttons}
          </>
        )}
      </PageHeader>
      {gone ? (
        <EmptyState {...missing} />
      ) : (
        <Answered query={query} loading={loading}>
          {children}
        </Answered>
      )}
    </>
  );
}
