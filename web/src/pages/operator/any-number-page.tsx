import { Code } from '@mantine/core';
import { IconDeviceMobile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { NumberDetail } from '../../../../src/portal/wire/index.ts';
import { ApiError, call } from '../../api/client.ts';
import { operatorKey } from '../../api/queries.ts';
import { Trans, t } from '../../language/language.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { Answered } from '../../parts/answered.tsx';
import { Back } from '../../parts/back.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { NumberOverview } from '../../parts/number/number-detail.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { PageHeader } from '../../parts/page-header.tsx';

/** While an account is acted for, live events are of that account only. */
const pollMs = 15_000;

/** One number of any account this person administers. */
export default function AnyNumberPage() {
  const { instanceId } = useParams({ from: '/signed-in/operator/numbers/$instanceId' });
  const number = useQuery({
    queryKey: [...operatorKey, 'number', instanceId],
    queryFn: ({ signal }) => call<NumberDetail>(`/portal/api/operator/numbers/${encodeURIComponent(instanceId)}`, { signal }),
    refetchInterval: pollMs,
  });
  const missing = number.error instanceof ApiError && number.error.code === 'not_found';
  return (
    <>
      <Back to="/operator/numbers">{t('All numbers')}</Back>
      <PageHeader
        title={number.data === undefined ? t('Number') : nameOf(number.data)}
        {...(number.data === undefined || missing
          ? {}
          : {
              text: (
                <Trans
                  i18nKey="of <a>{{account}}</a>"
                  values={{ account: number.data.account_name }}
                  components={{ a: <AccountLink id={number.data.account_id} /> }}
                />
              ),
            })}
      />
      {missing ? (
        <EmptyState
          icon={<IconDeviceMobile size={28} />}
          title={t('No such number')}
          text={
            <Trans
              i18nKey="There is no number <code>{{id}}</code>. It may have been deleted; gateway audit shows by whom."
              values={{ id: instanceId }}
              components={{ code: <Code /> }}
            />
          }
        />
      ) : (
        <Answered query={number} loading={<ListLoading label={t('Loading the number')} />}>
          {(found) => <NumberOverview number={found} own={false} />}
        </Answered>
      )}
    </>
  );
}
