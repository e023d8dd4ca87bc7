import { Button, Group, Menu } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus, IconUsers } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import type { ProviderView } from '../../../../src/portal/wire/operator.ts';
import { shownCount, t } from '../../language/language.ts';
import { ProviderBadge } from '../../parts/account/account-state.tsx';
import { FilterSelect } from '../../parts/list/filter-select.tsx';
import { ListPage } from '../../parts/list/list-page.tsx';
import { useList } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { ProviderLink } from '../../parts/provider-link.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { ProviderDialog } from './provider-dialog.tsx';
import { providersKey, providersPath } from './queries.ts';
import { SuspendDialog } from './suspend-dialog.tsx';

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'name', label: t('By name') },
  { value: '-accounts', label: t('Most accounts first') },
  { value: '-numbers', label: t('Most numbers first') },
];

/** The resellers on this gateway. */
export default function ProvidersPage() {
  const search = useSearch({ from: '/signed-in/operator/providers' });
  const list = useList({ queryKey: providersKey, path: providersPath, search, sort: 'created' });
  const editing = useQuestion<ProviderView | null>();
  const suspending = useQuestion<ProviderView>();
  return (
    <>
      <ListPage
        list={list}
        title={t('Providers')}
        text={t('Resellers with accounts of their own. Your direct customers belong to the built-in provider.')}
        buttons={
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => editing.ask(null)}>
            {t('New provider')}
          </Button>
        }
        filters={
          <Group gap="sm">
            <SearchField {...list.find} label={t('Find a provider')} placeholder={t('Find by name or ID')} />
            <FilterSelect
              label={t('State')}
              all={t('All states')}
              options={[
                { value: 'active', label: t('Active', { context: 'provider' }) },
                { value: 'suspended', label: t('Suspended', { context: 'provider' }) },
              ]}
              value={search.state}
              onChange={(state) => list.narrow({ state })}
            />
          </Group>
        }
        loading={<ListLoading label={t('Loading the providers')} rows={3} />}
        count={(count) => t('{{count}} providers', { count, defaultValue_one: '{{count}} provider' })}
        orders={orders()}
        // There is always the built-in one.
        nothingFits={t('No providers match.')}
      >
        {(providers) => <ProviderTable providers={providers} order={list.order} onEdit={editing.ask} onSuspend={suspending.ask} />}
      </ListPage>
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
  readonly order: { readonly sort: string; onSort(sort: string): void };
  onEdit(provider: ProviderView): void;
  onSuspend(provider: ProviderView): void;
}

function ProviderTable({ providers, order, onEdit, onSuspend }: ProviderTableProps) {
  return (
    <RecordTable
      label={t('Providers')}
      rows={providers}
      keyOf={({ provider_id }) => provider_id}
      order={order}
      columns={[
        {
          label: t('Provider'),
          long: true,
          sort: 'name',
          cell: ({ provider_id, name }) => <ProviderLink id={provider_id}>{name}</ProviderLink>,
        },
        { label: t('State'), cell: ({ status }) => <ProviderBadge status={status} /> },
        { label: t('Accounts'), cell: ({ accounts }) => shownCount(accounts), end: true, sort: 'accounts' },
        { label: t('Numbers'), cell: (provider) => <Capacity provider={provider} />, end: true, sort: 'numbers' },
        {
          label: t('Created', { context: 'provider' }),
          sort: 'created',
          cell: ({ created_at }) => <Moment at={created_at} day size="sm" />,
        },
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
