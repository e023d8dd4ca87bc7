import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { operatorKey } from '../api/queries.ts';
import { t } from '../language/language.ts';
import { type AccountPage, accountPages, useActing } from '../session/acting.ts';
import { rolesOf, useSession } from '../session/session.ts';

/** Goes to another account from any page, and to the same page of it where there is one. */
export default function AccountSelect() {
  const { accounts, account, memberships } = useSession();
  const { operator, providerAdmin } = rolesOf({ memberships });
  const administers = operator || providerAdmin;
  const { actFor } = useActing();
  const { pathname } = useLocation();
  const [typed, setTyped] = useState('');
  const [opened, setOpened] = useState(false);
  // The field holds the name of the account, which is not a search.
  const wanted = typed.trim() === account?.name ? '' : typed.trim();
  const [search] = useDebouncedValue(wanted, 200);
  const found = useQuery({
    queryKey: [...operatorKey, 'switcher', search],
    queryFn: ({ signal }) => call('GET /portal/api/operator/accounts', { query: { search }, signal }),
    enabled: administers && opened,
    // What was found so far stays in sight meanwhile, and stays chosen.
    placeholderData: keepPreviousData,
  });

  const choices = new Map(accounts.map(({ account_id, name }) => [account_id, name]));
  for (const { account_id, name } of found.data?.rows ?? []) choices.set(account_id, name);
  if (account !== null) choices.set(account.account_id, account.name);
  return (
    <Select
      aria-label={t('Switch account')}
      placeholder={t('Go to an account')}
      data={[...choices].map(([value, label]) => ({ value, label }))}
      value={account?.account_id ?? null}
      onChange={(id) => id !== null && id !== account?.account_id && actFor(id, pageOf(pathname))}
      searchable
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpened(true)}
      allowDeselect={false}
      limit={50}
      nothingFoundMessage={t('No account matches')}
      comboboxProps={{ withinPortal: false, width: 280, position: 'bottom-end' }}
      size="xs"
    />
  );
}

/** The page of the other account: the same, unless it is about something of this one. */
function pageOf(pathname: string): AccountPage {
  return accountPages.find((page) => pathname === page) ?? '/numbers';
}
