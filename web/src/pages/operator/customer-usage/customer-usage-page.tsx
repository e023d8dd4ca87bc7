import { Button, Group, Pagination, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CustomersUsage } from '../../../../../src/portal/wire/customers.ts';
import { shownCount, t } from '../../../language/language.ts';
import { Answered } from '../../../parts/answered.tsx';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { OrderSelect } from '../../../parts/list/order-select.tsx';
import { ListLoading } from '../../../parts/list-parts.tsx';
import { NothingFits } from '../../../parts/nothing-fits.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { SearchField } from '../../../parts/search-field.tsx';
import { ProviderFilter } from '../place-selects.tsx';
import { OwnCapacity } from '../provider-capacity.tsx';
import { Figure, MonthTable } from './figures.tsx';
import { Period } from './period.tsx';
import { type CustomerUsageSearch, customerUsageCsv, customerUsageQuery } from './query.ts';
import { UsageTable, usageOrders } from './usage-table.tsx';

/** What every account used, against its plan. */
export default function CustomerUsagePage() {
  const search: CustomerUsageSearch = useSearch({ from: '/signed-in/operator/usage' });
  const navigate = useNavigate({ from: '/operator/usage' });
  const usage = useQuery(customerUsageQuery(search, Date.now()));
  /** Another choice begins with its first page. */
  const change = (next: Partial<Record<keyof CustomerUsageSearch, unknown>>) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...next }) as typeof old,
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <PageHeader
        title={t('Usage of accounts')}
        text={t('What your customers sent, and how many numbers were connected. Days begin at midnight UTC.')}
      >
        <Button
          component="a"
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          href={customerUsageCsv(search, Date.now())}
          download
        >
          {t('Download as CSV')}
        </Button>
      </PageHeader>
      <Stack gap="sm">
        <OwnCapacity />
        <Group gap="sm" align="flex-start">
          <Period search={search} onChange={(days) => change({ month: undefined, from: undefined, to: undefined, ...days })} />
          <SearchField
            value={search.search ?? ''}
            label={t('Find an account')}
            placeholder={t('Find by name, reference or ID')}
            onChange={(text) => change({ search: text === '' ? undefined : text })}
          />
          <ProviderFilter value={search.provider} onChange={(provider) => change({ provider })} />
        </Group>
        <Answered query={usage} loading={<ListLoading label={t('Loading the usage')} />}>
          {(found) => <Usage usage={found} search={search} onChange={change} />}
        </Answered>
      </Stack>
    </>
  );
}

interface UsageProps {
  readonly usage: CustomersUsage;
  readonly search: CustomerUsageSearch;
  onChange(next: Partial<Record<keyof CustomerUsageSearch, unknown>>): void;
}

function Usage({ usage, search, onChange }: UsageProps) {
  const { accounts, total, page, page_size, totals, months } = usage;
  if (total === 0) {
    if (search.search !== undefined || search.provider !== undefined) return <NothingFits>{t('No account matches.')}</NothingFits>;
    return (
      <EmptyState
        icon={<IconChartBar size={28} />}
        title={t('No accounts yet')}
        text={t('What each of your customers uses is listed here.')}
      />
    );
  }
  const pages = Math.ceil(total / page_size);
  const { order: by = 'name', descending } = search;
  const order = {
    sort: descending === true ? `-${by}` : by,
    onSort: (sort: string) =>
      onChange(sort.startsWith('-') ? { order: sort.slice(1), descending: true } : { order: sort, descending: undefined }),
  };
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
        <Figure name={t('Messages')} value={totals.sends} />
        <Figure name={t('Number-days')} value={totals.number_days} />
        <Figure name={t('Accounts')} value={total} />
      </SimpleGrid>
      {months.length > 1 && <MonthTable months={months} />}
      <div>
        <Group justify="flex-end">
          <OrderSelect value={order.sort} sorts={usageOrders()} onSort={order.onSort} />
        </Group>
        <UsageTable accounts={accounts} order={order} />
      </div>
      {pages > 1 && (
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" role="status">
            {t('{{first}} to {{last}} of {{total}} accounts', {
              first: shownCount((page - 1) * page_size + 1),
              last: shownCount(Math.min(page * page_size, total)),
              total: shownCount(total),
            })}
          </Text>
          <Pagination
            total={pages}
            value={page}
            onChange={(next) => onChange(next === 1 ? {} : { page: next })}
            getControlProps={(control) => ({ 'aria-label': control === 'next' ? t('Next page') : t('Previous page') })}
            getItemProps={(item) => ({ 'aria-label': t('Page {{page}}', { page: item }) })}
          />
        </Group>
      )}
    </>
  );
}
