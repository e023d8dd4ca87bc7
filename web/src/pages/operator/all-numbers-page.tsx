import { Stack } from '@mantine/core';
import { IconListNumbers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { NumberView } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ChoiceBar } from '../../parts/list/choice-bar.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { listQuery, useChosen, useListAddress, withoutPage } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { NumberActions } from '../../parts/number-actions.tsx';
import { NumberFilters } from '../../parts/number-filters.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSession } from '../../session/session.ts';
import { NumberTable } from './number-table.tsx';
import { AccountSelect } from './place-selects.tsx';
import { numbersKey, numbersPath } from './queries.ts';

/** How often is asked while the stream tells only of the one account that is acted for. */
const pollMs = 5000;

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'label', label: t('By name') },
  { value: 'number', label: t('By number') },
  { value: 'account', label: t('By account') },
];

/** The numbers of all accounts this person administers, with their live state. */
export default function AllNumbersPage() {
  const search = useSearch({ from: '/signed-in/operator/numbers' });
  const { narrow, page } = useListAddress(search);
  const { account } = useSession();
  const list = listQuery<NumberView>(numbersKey, numbersPath, search);
  const numbers = useQuery({ ...list, refetchInterval: account === null ? false : pollMs });
  const choice = useChosen(search);
  const sort = search.sort ?? '-created';
  const { sort: _, ...filters } = withoutPage(search);
  return (
    <>
      <PageHeader title={t('All numbers')} text={t('The numbers of all accounts. The list updates automatically.')} />
      <Stack gap="sm">
        <NumberFilters search={search} placeholder={t('Find by name, digits, account or ID')} onNarrow={narrow}>
          {search.account_id !== undefined && (
            <AccountSelect
              label={t('Account')}
              placeholder={t('All accounts')}
              value={search.account_id}
              onChange={(chosen) => narrow({ account_id: chosen ?? undefined })}
            />
          )}
        </NumberFilters>
        <Answered query={numbers} loading={<ListLoading label={t('Loading the numbers')} />}>
          {(found) =>
            found.rows.length === 0 ? (
              <NoNumbers looking={Object.keys(filters).length > 0} />
            ) : (
              <>
                <ListTools
                  count={t('{{count}} numbers', { count: found.total ?? 0, defaultValue_one: '{{count}} number' })}
                  path={numbersPath}
                  search={search}
                  orders={{ value: sort, sorts: orders(), onSort: (next) => narrow({ sort: next }) }}
                />
                <ChoiceBar choice={choice} path={numbersPath} search={search} total={found.total}>
                  <NumberActions path="/portal/api/operator/numbers/bulk" ids={[...choice.chosen]} onDone={choice.clear} />
                </ChoiceBar>
                <NumberTable numbers={found.rows} accounts order={{ sort, onSort: (next) => narrow({ sort: next }) }} choice={choice} />
                <ListPager page={found} onPage={page} />
              </>
            )
          }
        </Answered>
      </Stack>
    </>
  );
}

function NoNumbers({ looking }: { readonly looking: boolean }) {
  if (looking) {
    return <NothingFits>{t('No numbers match.')}</NothingFits>;
  }
  return (
    <EmptyState
      icon={<IconListNumbers size={28} />}
      title={t('No numbers yet')}
      text={t('As soon as an account adds a number, it is listed here with its state.')}
    />
  );
}
