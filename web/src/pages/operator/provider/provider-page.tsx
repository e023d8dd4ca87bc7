import { Button, Stack } from '@mantine/core';
import { IconBuildingOff, IconPalette, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ProviderDetail } from '../../../../../src/portal/wire/operator.ts';
import { t } from '../../../language/language.ts';
import { ProviderBadge } from '../../../parts/account/account-state.tsx';
import { Back } from '../../../parts/back.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { ObjectPage } from '../../../parts/object-page.tsx';
import { useQuestion } from '../../../parts/use-question.ts';
import { rolesOf, useSession } from '../../../session/session.ts';
import { ProviderDialog } from '../provider-dialog.tsx';
import { providerQuery } from '../queries.ts';
import { SuspendDialog } from '../suspend-dialog.tsx';
import { ProviderAdmins } from './provider-admins.tsx';
import { ProviderFacts } from './provider-facts.tsx';

/** One provider: what it has and may have, and its admins. */
export default function ProviderPage() {
  const { providerId } = useParams({ from: '/signed-in/operator/providers/$providerId' });
  const { operator } = rolesOf(useSession());
  return (
    <ObjectPage
      back={operator && <Back to="/operator/providers">{t('All providers')}</Back>}
      query={useQuery(providerQuery(providerId))}
      title={t('Provider')}
      titleOf={({ name }) => name}
      textOf={({ status }) => <ProviderBadge status={status} />}
      actions={(provider) => (
        <>
          <Button
            variant="default"
            leftSection={<IconPalette size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/operator/providers/$providerId/brand" params={{ providerId }} {...props} />}
          >
            {t('Brand')}
          </Button>
          {operator && <Actions key={provider.provider_id} provider={provider} />}
        </>
      )}
      missing={{
        icon: <IconBuildingOff size={28} />,
        title: t('No such provider'),
        text: t('There is none with this ID in what you run.'),
      }}
      loading={<ListLoading label={t('Loading the provider')} />}
    >
      {(provider) => (
        <Stack gap="xl">
          <ProviderFacts provider={provider} />
          <ProviderAdmins provider={provider} />
        </Stack>
      )}
    </ObjectPage>
  );
}

/** What operators may do with it. */
function Actions({ provider }: { readonly provider: ProviderDetail }) {
  const editing = useQuestion<true>();
  const { provider_id, name, status } = provider;
  // The dialog keeps its words while it closes, when the provider is already shown as it is now.
  const suspending = useQuestion<typeof status>();
  const active = status === 'active';
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={() => editing.ask(true)}>
        {t('Edit')}
      </Button>
      <Button
        variant="default"
        leftSection={active ? <IconPlayerPause size={18} aria-hidden /> : <IconPlayerPlay size={18} aria-hidden />}
        onClick={() => suspending.ask(status)}
      >
        {active ? t('Suspend') : t('Resume')}
      </Button>
      <ProviderDialog opened={editing.opened} provider={provider} onClose={editing.close} />
      <SuspendDialog
        opened={suspending.opened}
        what="provider"
        id={provider_id}
        name={name}
        status={suspending.about ?? status}
        onClose={suspending.close}
      />
    </>
  );
}
