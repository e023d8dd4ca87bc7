import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AccountView } from '../../../../src/portal/wire/index.ts';
import { AccountBadge } from '../../parts/account/account-state.tsx';
import { allowedNumbers } from '../../parts/account/allowed-numbers.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { Answered } from '../../parts/answered.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { keepFocusOnPage } from '../../parts/kept-focus.ts';
import { ListLoading, Total } from '../../parts/list-parts.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { type Column, RecordTable } from '../../parts/record-table.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { useActing } from '../../session/acting.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { AccountDialog } from './account-dialog.tsx';
import { PlanWithEnd } from './plan-with-end.tsx';
import { accountsQuery, providersQuery } from './queries.ts';

/** Every account this person runs. */
export default function AccountsPage() {
  const { search = '', provider } = useSearch({ from: '/signed-in/operator/accounts' });
  const navigate = useNavigate({ from: '/operator/accounts' });
  const { operator } = rolesOf(useSession());
  const accounts = useQuery(accountsQuery({ search, provider_id: provider }));
  const [creating, { open, close }] = useDisclosure(false);
  return (
    <>
      <PageHeader title="Accounts" text="Your customers: what each may use, and for how long.">
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
          New account
        </Button>
      </PageHeader>
      <Stack gap="sm">
        <Group gap="sm">
          <SearchField
            value={search}
            label="Find an account"
            placeholder="Find by name or ID"
            onChange={(text) =>
              void navigate({ search: (old) => ({ ...old, search: text === '' ? undefined : text }) as typeof old, replace: true })
            }
          />
          {operator && (
            <ProviderFilter
              value={provider ?? null}
              onChange={(chosen) =>
                void navigate({ search: (old) => ({ ...old, provider: chosen ?? undefined }) as typeof old, replace: true })
              }
            />
          )}
        </Group>
        <Answered query={accounts} loading={<ListLoading label="Loading the accounts" />}>
          {({ accounts: found, total }) =>
            total === 0 ? (
              <NoAccounts looking={search !== '' || provider !== undefined} onCreate={open} />
            ) : (
              <>
                <Total shown={found.length} total={total} one="account" many="accounts" />
                <AccountTable accounts={found} providers={operator} />
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

function AccountTable({ accounts, providers }: { readonly accounts: readonly AccountView[]; readonly providers: boolean }) {
  const { actFor } = useActing();
  const provider: Column<AccountView> = { label: 'Provider', long: true, cell: ({ provider_name }) => provider_name };
  return (
    <RecordTable
      label="Accounts"
      rows={accounts}
      keyOf={({ account_id }) => account_id}
      columns={[
        { label: 'Account', cell: (account) => <AccountName account={account} /> },
        { label: 'State', cell: (account) => <AccountBadge account={account} /> },
        { label: 'Plan', long: true, cell: (account) => <PlanWithEnd account={account} /> },
        { label: 'Numbers', cell: (account) => `${account.numbers} of ${allowedNumbers(account)}` },
        ...(providers ? [provider] : []),
      ]}
      actions={({ account_id, name }) => (
        <Button variant="default" size="xs" onClick={() => actFor(account_id)} aria-label={`Act for ${name}`}>
          Act for
        </Button>
      )}
    />
  );
}

function AccountName({ account: { account_id, name, operator } }: { readonly account: AccountView }) {
  return (
    <>
      <AccountLink id={account_id}>{name}</AccountLink>
      {operator && (
        <Text size="xs" c="dimmed">
          Operator's own
        </Text>
      )}
    </>
  );
}

function ProviderFilter({ value, onChange }: { readonly value: string | null; onChange(provider: string | null): void }) {
  const { data: providers = [] } = useQuery(providersQuery);
  if (providers.length < 2) return null;
  return (
    <Select
      aria-label="Provider"
      placeholder="All providers"
      data={providers.map(({ provider_id, name }) => ({ value: provider_id, label: name }))}
      value={value}
      onChange={onChange}
      clearable
      comboboxProps={{ withinPortal: false }}
      clearButtonProps={{ 'aria-label': 'All providers' }}
      searchable
      w={220}
    />
  );
}

function NoAccounts({ looking, onCreate }: { readonly looking: boolean; onCreate(): void }) {
  if (looking) {
    return <NothingFits>No account fits.</NothingFits>;
  }
  return (
    <EmptyState
      icon={<IconUsers size={28} />}
      title="No accounts yet"
      text="An account is one customer: with its own numbers, keys, plan and people. Create one, then invite its owner."
    >
      <Button mt="sm" onClick={onCreate}>
        Create the first account
      </Button>
    </EmptyState>
  );
}
