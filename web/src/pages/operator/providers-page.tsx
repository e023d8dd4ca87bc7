import { Anchor, Button, Menu } from '@mantine/core';
import { IconBuildingStore, IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProviderView } from '../../../../src/portal/wire/index.ts';
import { shownCount, t } from '../../language/language.ts';
import { ActiveBadge } from '../../parts/account/account-state.tsx';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { providersQuery } from './queries.ts';
import { SuspendDialog } from './suspend-dialog.tsx';

/** The resellers on this gateway. */
export default function ProvidersPage() {
  const providers = useQuery(providersQuery);
  const editing = useQuestion<ProviderView | null>();
  const suspending = useQuestion<ProviderView>();
  return (
    <>
      <PageHeader
        title={t('Providers')}
        text={t('Resellers with accounts of their own. Your direct customers belong to the built-in provider.')}
      >
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => editing.ask(null)}>
          {t('New provider')}
        </Button>
      </PageHeader>
      <Answered query={providers} loading={<ListLoading label={t('Loading the providers')} rows={3} />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              icon={<IconBuildingStore size={28} />}
              title={t('No providers yet')}
              text={t('Every account belongs to a provider.')}
            >
              <Button mt="sm" onClick={() => editing.ask(null)}>
                {t('Create the first provider')}
              </Button>
            </EmptyState>
          ) : (
            <ProviderTable providers={found} onEdit={editing.ask} onSuspend={suspending.ask} />
          )
        }
      </Answered>
      <ProviderDialog key={editing.about?.provider_id ?? 'new'} opened={editing.opened} provider={editing.about} onClose={editing.close} />
      {suspending.about !== null && (
        <SuspendDialog
          opened={suspending.opened}
          what="provider"
          id={suspending.about.provider_id}
          name={suspending.about.name}
          status={suspending.about.status}
          onClose={suspending.close}
        />
      )}
    </>
  );
}

interface ProviderTableProps {
  readonly providers: readonly ProviderView[];
  onEdit(provider: ProviderView): void;
  onSuspend(provider: ProviderView): void;
}

function ProviderTable({ providers, onEdit, onSuspend }: ProviderTableProps) {
  return (
    <RecordTable
      label={t('Providers')}
      rows={providers}
      keyOf={({ provider_id }) => provider_id}
      columns={[
        {
          label: t('Provider'),
          cell: ({ provider_id, name }) => (
            <Anchor
              size="sm"
              fw={600}
              renderRoot={(props) => <Link to="/operator/providers/$providerId" params={{ providerId: provider_id }} {...props} />}
            >
              {name}
            </Anchor>
          ),
        },
        { label: t('State'), cell: ({ status }) => <ActiveBadge status={status} /> },
        { label: t('Accounts'), cell: ({ accounts }) => shownCount(accounts), end: true },
        { label: t('Numbers'), cell: (provider) => <Capacity provider={provider} />, end: true },
        { label: t('Created'), cell: ({ created_at }) => <Moment at={created_at} day size="sm" /> },
      ]}
      actions={(provider) => <ProviderMenu provider={provider} onEdit={() => onEdit(provider)} onSuspend={() => onSuspend(provider)} />}
    />
  );
}

function Capacity({ provider: { numbers, number_capacity } }: { readonly provider: ProviderView }) {
  if (number_capacity === null) return shownCount(numbers);
  return t('{{used}} of {{allowed}}', { used: numbers, allowed: number_capacity });
}

interface ProviderMenuProps {
  readonly provider: ProviderView;
  onEdit(): void;
  onSuspend(): void;
}

function ProviderMenu({ provider: { provider_id, name, status }, onEdit, onSuspend }: ProviderMenuProps) {
  const active = status === 'active';
  return (
    <MoreMenu name={name} width={200}>
      {(asking) => (
        <>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={asking(onEdit)}>
            {t('Edit')}
          </Menu.Item>
          <Menu.Item
            renderRoot={(props) => <Link to="/operator/accounts" search={{ provider_id }} {...props} />}
            leftSection={<IconUsers size={16} aria-hidden />}
          >
            {t('Its accounts')}
          </Menu.Item>
          <Menu.Item
            leftSection={active ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
            onClick={asking(onSuspend)}
          >
            {active ? t('Suspend') : t('Resume')}
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );
}
