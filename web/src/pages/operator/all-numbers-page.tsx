import { Button } from '@mantine/core';
import { IconFileImport, IconListNumbers } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ListPage } from '../../parts/list/list-page.tsx';
import { useList } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { NumberActions } from '../../parts/number-actions.tsx';
import { NumberFilters } from '../../parts/number-filters.tsx';
import { rolesOf, useSession } from '../../session/session.ts';
import { NumberTable } from './number-table.tsx';
import { AccountSelect, ProviderFilter } from './place-selects.tsx';
import { numbersKey, numbersPath } from './queries.ts';

/** How often is asked while the stream tells only of the one account that is acted for. */
const pollMs = 5000;

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'since', label: t('Longest in its state first') },
  { value: '-since', label: t('Last changed first') },
  { value: 'label', label: t('By name') },
  { value: 'number', label: t('By number') },
  { value: 'account', label: t('By account') },
];

/** The numbers of all accounts this person administers, with their live state. */
export default function AllNumbersPage() {
  const search = useSearch({ from: '/signed-in/operator/numbers' });
  const session = useSession();
  const { account } = session;
  const list = useList({ queryKey: numbersKey, path: numbersPath, search, refetchInterval: account === null ? false : pollMs });
  return (
    <ListPage
      list={list}
      title={t('All numbers')}
      text={t('The numbers of all accounts. The list updates automatically.')}
      buttons={
        rolesOf(session).operator && (
          <Button
            variant="default"
            leftSection={<IconFileImport size={18} aria-hidden />}
            renderRoot={(props) => <Link to="/operator/numbers/import" {...props} />}
          >
            {t('Import')}
          </Button>
        )
      }
      filters={
        <NumberFilters list={list} placeholder={t('Find by name, digits, account or ID')}>
          {search.account_id !== undefined && (
            <AccountSelect
              label={t('Account')}
              placeholder={t('All accounts')}
              value={search.account_id}
              onChange={(chosen) => list.narrow({ account_id: chosen ?? undefined })}
            />
          )}
          {search.provider_id !== undefined && (
            <ProviderFilter value={search.provider_id} onChange={(provider_id) => list.narrow({ provider_id })} />
          )}
        </NumberFilters>
      }
      loading={<ListLoading label={t('Loading the numbers')} />}
      count={(count) => t('{{count}} numbers', { count, defaultValue_one: '{{count}} number' })}
      orders={orders()}
      none={
        <EmptyState
          icon={<IconListNumbers size={28} />}
          title={t('No numbers yet')}
          text={t('As soon as an account adds a number, it is listed here with its state.')}
        />
      }
      nothingFits={t('No numbers match.')}
      actions={(ids, onDone) => <NumberActions path={numbersPath} ids={ids} onDone={onDone} />}
    >
      {(numbers) => <NumberTable numbers={numbers} accounts order={list.order} choice={list.choice} />}
    </ListPage>
  );
}
