import { Button, Code, SimpleGrid, Skeleton } from '@mantine/core';
import { IconActivity, IconDeviceMobile, IconGauge, IconLink, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { NumberDetail } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { Trans, t } from '../../language/language.ts';
import { useSuspended } from '../../parts/account/use-suspended.ts';
import { Back } from '../../parts/back.tsx';
import { NumberOverview } from '../../parts/number/number-detail.tsx';
import { ScanLinkButton } from '../../parts/number/scan-link.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { ObjectPage } from '../../parts/object-page.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { useManages } from '../../session/manages.ts';
import { useAccountId } from '../../session/session.ts';
import { BudgetDialog } from './budget-dialog.tsx';

/** One number: how it is, why, and what happened to it. */
export default function NumberPage() {
  const { instanceId } = useParams({ from: '/signed-in/of-account/numbers/$instanceId' });
  const accountId = useAccountId();
  const number = useQuery({
    queryKey: accountKey(accountId, 'number', instanceId),
    queryFn: ({ signal }) => call('GET /portal/api/numbers/:id', { params: { id: instanceId }, account: accountId, signal }),
  });
  return (
    <ObjectPage
      back={<Back to="/numbers">{t('All numbers')}</Back>}
      query={number}
      title={t('Number')}
      titleOf={nameOf}
      actions={(found) => <Actions number={found} />}
      missing={{
        icon: <IconDeviceMobile size={28} />,
        title: t('No such number'),
        text: (
          <Trans
            i18nKey="This account has no number <code>{{id}}</code>. It may have been deleted."
            values={{ id: instanceId }}
            components={{ code: <Code /> }}
          />
        ),
      }}
      loading={<Loading />}
    >
      {(found) => <NumberOverview number={found} own />}
    </ObjectPage>
  );
}

/** The most likely action, and what was sent. */
function Actions({ number }: { readonly number: NumberDetail }) {
  const { instance_id, standing } = number;
  const suspended = useSuspended();
  const manages = useManages();
  const limiting = useQuestion<true>();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconActivity size={18} aria-hidden />}
        renderRoot={(props) => <Link to="/activity" search={{ instance_id }} {...props} />}
      >
        {t('Activity')}
      </Button>
      {!suspended && manages && (
        <>
          <Button variant="default" leftSection={<IconGauge size={18} aria-hidden />} onClick={() => limiting.ask(true)}>
            {t('New-chat budget')}
          </Button>
          <BudgetDialog opened={limiting.opened} number={number} onClose={limiting.close} />
        </>
      )}
      {!suspended && standing === 'connected' && (
        <Button
          leftSection={<IconSend size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/send" search={{ instance_id }} {...props} />}
        >
          {t('Send')}
        </Button>
      )}
      {!suspended && manages && standing !== 'connected' && <ScanLinkButton number={number} account={number.account_id} />}
      {!suspended && standing !== 'connected' && standing !== 'reconnecting' && (
        <Button
          leftSection={<IconLink size={18} aria-hidden />}
          renderRoot={(props) => <Link to="/numbers" search={{ pair: instance_id }} {...props} />}
        >
          {standing === 'pairing' ? t('Show code') : t('Link', { context: 'verb' })}
        </Button>
      )}
    </>
  );
}

function Loading() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} role="status" aria-label={t('Loading the number')}>
      <Skeleton h={240} radius="lg" />
      <Skeleton h={360} radius="lg" />
    </SimpleGrid>
  );
}
