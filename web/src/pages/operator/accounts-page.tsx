import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { keepFocusOnPage } from '../../parts/kept-focus.ts';
import { ChoiceBar } from '../../parts/list/choice-bar.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { listQuery, useChosen, useListAddress, withoutPage } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { AccountActions } from './account-actions.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { AccountFilters } from './account-filters.tsx';
import { AccountTable, accountOrders } from './account-table.tsx';
import { ImportAccounts } from './import/import-accounts.tsx';
import { OwnCapacity } from './provider-capacity.tsx';
import { accountsKey, accountsPath } from './queries.ts';

/** Every account this person runs. */
export default function AccountsPage() {
  const search = useSearch({ from: '/signed-in/operator/accounts' });
  const navigate = useNavigate({ from: '/operator/accounts' });
  const { narrow, page } = useListAddress(search);
  const accounts = useQuery(listQuery<AccountView>(accountsKey, accountsPath, search));
  const choice = useChosen(search);
  const sort = search.sort ?? '-created';
  const [creating, { open, close }] = useDisclosure(false);
  const { sort: _, ...filters } = withoutPage(search);
  return (
    <>
      <PageHeader title={t('Accounts')} text={t('Your customers: what each may use, and for how long.')}>
        <ImportAccounts />
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
          {t('New account')}
        </Button>
      </PageHeader>
      <Stack gap="sm">
        <OwnCapacity />
        <AccountFilters search={search} onNarrow={narrow} />
        <Answered query={accounts} loading={<ListLoading label={t('Loading the accounts')} />}>
          {(found) =>
            found.rows.length === 0 ? (
              <NoAccounts looking={Object.keys(filters).length > 0} onCreate={open} />
            ) : (
              <>
                <ListTools
                  count={t('{{count}} accounts', { count: found.total ?? 0, defaultValue_one: '{{count}} account' })}
                  path={accountsPath}
                  search={search}
                  orders={{ value: sort, sorts: accountOrders(), onSort: (next) => narrow({ sort: next }) }}
                />
                <ChoiceBar choice={choice} path={accountsPath} search={search} total={found.total}>
                  <AccountActions ids={[...choice.chosen]} onDone={choice.clear} />
                </ChoiceBar>
                <AccountTable accounts={found.rows} order={{ sort, onSort: (next) => narrow({ sort: next }) }} choice={choice} />
                <ListPager page={found} onPage={page} />
              </>
            )
          }
        </Answered>
      </Stack>
      <AccountDialog
        opened={creating}
        account={null}
        onSaved={({ account_id }) =>
          void navigate({ to: '/operator/accounts/$accountId', params: { accountId: account_id } }).then(keepFocusOnPage)
        }
        onClose={close}
      />
    </>
  );
}

function NoAccounts({ looking, onCreate }: { readonly looking: boolean; onCreate(): void }) {
  if (looking) {
    return <NothingFits>{t('No accounts match.')}</NothingFits>;
  }
  return (
    <EmptyState
      icon={<IconUsers size={28} />}
      title={t('No accounts yet')}
      text={t('An account is one customer, with its own numbers, keys, plan and people. Create one, then invite its owner.')}
    >
      <Button mt="sm" onClick={onCreate}>
        {t('Create the first account')}
      </Button>
    </EmptyState>
  );
}
