import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { keepFocusOnPage } from '../../parts/kept-focus.ts';
import { ListPage } from '../../parts/list/list-page.tsx';
import { useList } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
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
  // Whoever asks which accounts end soon wants to see the next end first.
  const otherwise = search.ends_within === undefined ? {} : { sort: 'ends' };
  const list = useList({ queryKey: accountsKey, path: accountsPath, search, otherwise });
  const [creating, { open, close }] = useDisclosure(false);
  return (
    <>
      <ListPage
        list={list}
        title={t('Accounts', { context: 'page' })}
        text={t('Your customers: what each may use, and for how long.')}
        buttons={
          <>
            <ImportAccounts />
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
              {t('New account')}
            </Button>
          </>
        }
        filters={
          <>
            <OwnCapacity />
            <AccountFilters list={list} />
          </>
        }
        loading={<ListLoading label={t('Loading the accounts')} />}
        count={(count) => t('{{count}} accounts', { count, defaultValue_one: '{{count}} account' })}
        orders={accountOrders()}
        none={
          <EmptyState
            icon={<IconUsers size={28} />}
            title={t('No accounts yet')}
            text={t('An account is one customer, with its own numbers, keys, plan and people. Create one, then invite its owner.')}
          >
            <Button mt="sm" onClick={open}>
              {t('Create the first account')}
            </Button>
          </EmptyState>
        }
        nothingFits={t('No accounts match.')}
        actions={(ids, onDone) => <AccountActions ids={ids} onDone={onDone} />}
      >
        {(accounts) => <AccountTable accounts={accounts} order={list.order} choice={list.choice} />}
      </ListPage>
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
