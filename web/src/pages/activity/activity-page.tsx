import { Button, Stack } from '@mantine/core';
import { IconActivity, IconFilterOff } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Instance } from '../../api/contract.ts';
import { instancesQuery } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type ActivityFilter, activityPage, activityQuery, type Loaded, withOlder } from '../../parts/sends/activity-query.ts';
import { shownMoment } from '../../parts/shown-moment.ts';
import { useAccountId } from '../../session/session.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { RequestSearch } from './request-search.tsx';
import { SendList } from './send-list.tsx';

/** What was sent in the last 30 days, and how each send ended. */
export default function ActivityPage() {
  const { account: acting, ...filter }: ActivityFilter & { account?: string } = useSearch({ from: '/signed-in/of-account/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const numbers = useQuery(instancesQuery(useAccountId()));
  const change = (search: ActivityFilter) => void navigate({ search, replace: true, resetScroll: false });
  return (
    <>
      <PageHeader title={t('Activity')} text={t('Everything sent in the last 30 days, without what the messages said.')}>
        <RequestSearch />
      </PageHeader>
      <ActivityFilters filter={filter} numbers={numbers.data ?? []} onChange={change} />
      {numbers.isPending ? (
        <Loading />
      ) : (
        // With another filter the list starts at its top again.
        <Sends key={JSON.stringify(filter)} filter={filter} numbers={numbers.data} onClear={() => change({})} />
      )}
    </>
  );
}

interface SendsProps {
  readonly filter: ActivityFilter;
  /** Unknown when they could not be had. */
  readonly numbers: readonly Instance[] | undefined;
  onClear(): void;
}

function Sends({ filter, numbers, onClear }: SendsProps) {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  const query = activityQuery(queryClient, accountId, filter);
  const sends = useQuery(query);
  const older = useMutation({
    mutationFn: (cursor: string) => activityPage(accountId, filter, { cursor }),
    onSuccess: (page, cursor) =>
      // A refetch may have started a new list in the meantime; then this page does not belong to it.
      queryClient.setQueryData<Loaded>(query.queryKey, (loaded) => (loaded?.cursor === cursor ? withOlder(loaded, page) : loaded)),
  });
  return (
    <Answered query={sends} loading={<Loading />}>
      {(loaded) => {
        const { items, cursor, searchedBackTo } = loaded;
        const more = cursor === null ? null : () => older.mutate(cursor);
        return (
          <Stack>
            {items.length > 0 ? (
              <SendList loaded={loaded} numbers={numbers} busy={older.isPending} onMore={more} />
            ) : more !== null ? (
              <NothingYet searchedBackTo={searchedBackTo} busy={older.isPending} onMore={more} />
            ) : Object.keys(filter).length > 0 ? (
              <NothingMatches onClear={onClear} />
            ) : (
              <NothingSent />
            )}
            <FailureAlert error={older.error} />
          </Stack>
        );
      }}
    </Answered>
  );
}

function NothingSent() {
  return (
    <EmptyState
      icon={<IconActivity size={28} />}
      title={t('Nothing sent yet')}
      text={t('Every message that you or your programs send appears here right away, with its outcome.')}
    >
      <Button mt="sm" renderRoot={(props) => <Link to="/send" {...props} />}>
        {t('Send a message')}
      </Button>
    </EmptyState>
  );
}

function NothingMatches({ onClear }: { onClear(): void }) {
  return (
    <EmptyState
      icon={<IconFilterOff size={28} />}
      title={t('Nothing matches')}
      text={t('Nothing sent in the last 30 days matches these filters.')}
    >
      <Button mt="sm" variant="default" onClick={onClear}>
        {t('Show everything')}
      </Button>
    </EmptyState>
  );
}

interface NothingYetProps {
  readonly searchedBackTo: string | null;
  readonly busy: boolean;
  onMore(): void;
}

function NothingYet({ searchedBackTo, busy, onMore }: NothingYetProps) {
  const text = searchedBackTo === null ? '' : t('Searched back to {{when}}.', { when: shownMoment(searchedBackTo) });
  return (
    <EmptyState icon={<IconActivity size={28} />} title={t('Nothing found so far')} text={text}>
      <Button mt="sm" onClick={onMore} loading={busy}>
        {t('Search further back')}
      </Button>
    </EmptyState>
  );
}

function Loading() {
  return <ListLoading label={t('Loading the activity')} rows={6} height={38} />;
}
