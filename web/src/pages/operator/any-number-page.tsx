import { Button, Code, Stack } from '@mantine/core';
import { IconDeviceMobile, IconLink, IconUserShield } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AnyNumberDetail } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { operatorKey } from '../../api/queries.ts';
import { Trans, t } from '../../language/language.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { Back } from '../../parts/back.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { NumberOverview } from '../../parts/number/number-detail.tsx';
import { ScanLinkButton } from '../../parts/number/scan-link.tsx';
import { nameOf } from '../../parts/number-words.ts';
import { ObjectPage } from '../../parts/object-page.tsx';
import { PersonLink } from '../../parts/person-link.tsx';
import { useActing } from '../../session/acting.ts';

/** While an account is acted for, live events are of that account only. */
const pollMs = 15_000;

/** One number of any account this person administers. */
export default function AnyNumberPage() {
  const { instanceId } = useParams({ from: '/signed-in/operator/numbers/$instanceId' });
  const number = useQuery({
    queryKey: [...operatorKey, 'number', instanceId],
    queryFn: ({ signal }) => call('GET /portal/api/operator/numbers/:id', { params: { id: instanceId }, signal }),
    refetchInterval: pollMs,
  });
  return (
    <ObjectPage
      back={<Back to="/operator/numbers">{t('All numbers')}</Back>}
      query={number}
      title={t('Number')}
      titleOf={nameOf}
      textOf={({ account_id, account_name }) => (
        <Trans i18nKey="of <a>{{account}}</a>" values={{ account: account_name }} components={{ a: <AccountLink id={account_id} /> }} />
      )}
      actions={(found) => <Actions number={found} />}
      missing={{
        icon: <IconDeviceMobile size={28} />,
        title: t('No such number'),
        text: (
          <Trans
            i18nKey="There is no number <code>{{id}}</code>. It may have been deleted; gateway audit shows by whom."
            values={{ id: instanceId }}
            components={{ code: <Code /> }}
          />
        ),
      }}
      loading={<ListLoading label={t('Loading the number')} />}
    >
      {(found) => <NumberOverview number={found} own={false} facts={[[t('Owners'), <Owners key="owners" owners={found.owners} />]]} />}
    </ObjectPage>
  );
}

/** Opens the number, or its linking, as its own people see it. */
function Actions({ number }: { readonly number: AnyNumberDetail }) {
  const { account_id, instance_id, standing, suspended } = number;
  const { actFor } = useActing();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconUserShield size={18} aria-hidden />}
        onClick={() => actFor(account_id, `/numbers/${instance_id}`)}
      >
        {t('Act for account')}
      </Button>
      {standing !== 'connected' && <ScanLinkButton number={number} account={account_id} />}
      {!suspended && standing !== 'connected' && standing !== 'reconnecting' && (
        <Button leftSection={<IconLink size={18} aria-hidden />} onClick={() => actFor(account_id, `/numbers?pair=${instance_id}`)}>
          {standing === 'pairing' ? t('Show code') : t('Link', { context: 'verb' })}
        </Button>
      )}
    </>
  );
}

function Owners({ owners }: Pick<AnyNumberDetail, 'owners'>) {
  if (owners.length === 0) return t('None yet');
  return (
    <Stack gap={2}>
      {owners.map(({ user_id, email }) => (
        <PersonLink key={user_id} id={user_id} pages="administrators">
          {email}
        </PersonLink>
      ))}
    </Stack>
  );
}
