import { Code, Stack } from '@mantine/core';
import { IconFileSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { Trans, t } from '../../language/language.ts';
import { Back } from '../../parts/back.tsx';
import { PartsLoading } from '../../parts/list-parts.tsx';
import { ObjectPage } from '../../parts/object-page.tsx';
import { useAccountId } from '../../session/session.ts';
import { RequestFacts } from './request-facts.tsx';
import { RequestSearch } from './request-search.tsx';
import { StageChart } from './stage-chart.tsx';

/** One request: what it was, how it ended, where its time went. */
export default function RequestPage() {
  const { requestId } = useParams({ from: '/signed-in/of-account/activity/$requestId' });
  const accountId = useAccountId();
  const request = useQuery({
    queryKey: accountKey(accountId, 'request', requestId),
    queryFn: ({ signal }) => call('GET /portal/api/requests/:id', { params: { id: requestId }, account: accountId, signal }),
    // A request that is over does not change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <ObjectPage
      back={<Back to="/activity">{t('All activity')}</Back>}
      query={request}
      title={t('Request')}
      tools={<RequestSearch key={requestId} />}
      missing={{
        icon: <IconFileSearch size={28} />,
        title: t('No such request'),
        text: (
          <Trans
            i18nKey="This account made no request <code>{{id}}</code> in the last 30 days. Check that you copied the whole ID. Requests by other accounts are not shown here."
            values={{ id: requestId }}
            components={{ code: <Code /> }}
          />
        ),
      }}
      loading={<PartsLoading label={t('Loading the request')} heights={[330, 240]} />}
    >
      {(found) => (
        <Stack gap="md">
          <RequestFacts request={found} />
          <StageChart request={found} />
        </Stack>
      )}
    </ObjectPage>
  );
}
