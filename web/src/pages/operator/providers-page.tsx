import { Button, Group, Menu, Stack } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ProviderView } from '../../../../src/portal/wire/index.ts';
import { shownCount, t } from '../../language/language.ts';
import { ActiveBadge } from '../../parts/account/account-state.tsx';
import { Answered } from '../../parts/answered.tsx';
import { FilterSelect } from '../../parts/list/filter-select.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { listQuery, useListAddress } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
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
  const { narrow, page } = useListAddress(search);
  const providers = useQuery(listQuery<ProviderView>(providersKey, providersPath, search));
  const editing = useQuestion<ProviderView | null>();
  const suspending = useQuestion<ProviderView>();
  const sort = search.sort ?? 'created';
  const onSort = (next: string) => narrow({ sort: next });
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
      <Stack gap="sm">
        <Group gap="sm">
          <SearchField
            value={search.search ?? ''}
            label={t('Find a provider')}
            placeholder={t('Find by name or ID')}
            onChange={(text) => narrow({ search: text }, { typing: true })}
          />
          <FilterSelect
            label={t('State')}
            all={t('All states')}
            options={[
              { value: 'active', label: t('Active') },
              { value: 'suspended', label: t('Suspended') },
            ]}
            value={search.state}
            onChange={(state) => narrow({ state })}
          />
        </Group>
        <Answered query={providers} loading={<ListLoading label={t('Loading the providers')} rows={3} />}>
          {(found) =>
            found.rows.length === 0 ? (
              // There is always the built-in one.
              <NothingFits>{t('No providers match.')}</NothingFits>
            ) : (
              <>
                <ListTools
                  count={t('{{count}} providers', { count: found.total ?? 0, defaultValue_one: '{{count}} provider' })}
                  path={providersPath}
                  search={search}
                  orders={{ value: sort, sorts: orders(), onSort }}
                />
                <ProviderTable providers={found.rows} order={{ sort, onSort }} onEdit={editing.ask} onSuspend={suspending.ask} />
                <ListPager page={found} onPage={page} />
              </>
            )
          }
        </Answered>
      </Stack>
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
        { label: t('State'), cell: ({ status }) => <ActiveBadge status={status} /> },
        { label: t('Accounts'), cell: ({ accounts }) => shownCount(accounts), end: true, sort: 'accounts' },
        { label: t('Numbers'), cell: (provider) => <Capacity provider={provider} />, end: true, sort: 'numbers' },
        { label: t('Created'), sort: 'created', cell: ({ created_at }) => <Moment at={created_at} day size="sm" /> },
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
