import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ListedAccount } from '../../../../src/portal/wire/account.ts';
import { shownCount, t } from '../../language/language.ts';
import { AccountBadge } from '../../parts/account/account-state.tsx';
import { allowedNumbers } from '../../parts/account/allowed-numbers.ts';
import { UsedOfAllowed } from '../../parts/account/used-of-allowed.tsx';
import { AccountLink } from '../../parts/account-link.tsx';
import { ProviderLink } from '../../parts/provider-link.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { SmallLine } from '../../parts/small-line.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import type { Choice } from '../../parts/use-row-choice.ts';
import { useActing } from '../../session/acting.ts';
import { rolesOf, useSession } from '../../session/session.ts';

/** The orders of the list, in words. */
export const accountOrders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'name', label: t('By name') },
  { value: 'ends', label: t('Ending soonest first') },
  { value: '-numbers', label: t('Most numbers first') },
];

interface AccountTableProps {
  readonly accounts: readonly ListedAccount[];
  readonly order: { readonly sort: string; onSort(sort: string): void };
  readonly choice: Choice;
}

/** A page of the accounts. */
export function AccountTable({ accounts, order, choice }: AccountTableProps) {
  const { operator } = rolesOf(useSession());
  const { actFor } = useActing();
  return (
    <RecordTable
      label={t('Accounts')}
      rows={accounts}
      keyOf={({ account_id }) => account_id}
      order={order}
      choice={{ ...choice, nameOf: ({ name }) => name }}
      columns={[
        { label: t('State'), cell: (account) => <AccountBadge account={account} /> },
        { label: t('Account'), name: true, long: true, sort: 'name', cell: (account) => <AccountName account={account} /> },
        { label: t('Plan'), long: true, cell: (account) => <Plan account={account} provider={operator} /> },
        { label: t('Ends'), sort: 'ends', cell: (account) => <Ago at={firstEnd(account)} size="sm" /> },
        {
          label: t('Numbers'),
          end: true,
          sort: 'numbers',
          cell: (account) => <UsedOfAllowed used={account.numbers} allowed={allowedNumbers(account)} />,
        },
        { label: t('Need a person'), end: true, cell: (account) => <NeedPerson account={account} /> },
        { label: t('Sends, 24 h'), end: true, cell: ({ sends }) => shownCount(sends.accepted) },
      ]}
      actions={({ account_id, name }) => (
        <Button variant="default" size="xs" onClick={() => actFor(account_id)} aria-label={t('Act for {{name}}', { name })}>
          {t('Act for')}
        </Button>
      )}
    />
  );
}

/** When the first of plan and access ends; null: neither does. */
function firstEnd({ plan_ends_at, access_ends_at }: ListedAccount): string | null {
  const ends = [plan_ends_at, access_ends_at].filter((end) => end !== null);
  return ends.toSorted()[0] ?? null;
}

interface PlanProps {
  readonly account: ListedAccount;
  /** Whether its provider stands below it: a column of its own would not fit a usual screen. */
  readonly provider: boolean;
}

function Plan({ account: { plan, provider_id, provider_name }, provider }: PlanProps) {
  return (
    <>
      {plan?.name ?? '–'}
      {provider && (
        <SmallLine>
          <ProviderLink id={provider_id}>{provider_name}</ProviderLink>
        </SmallLine>
      )}
    </>
  );
}

/** How many of its numbers need a person, with the way to them. */
function NeedPerson({ account: { account_id, name, needs_person } }: { readonly account: ListedAccount }) {
  if (needs_person === 0) return '–';
  return (
    <Anchor
      size="sm"
      fw={600}
      c="var(--mantine-color-red-text)"
      aria-label={t('{{count}} numbers of {{name}} that need a person', {
        count: needs_person,
        name,
        defaultValue_one: '{{count}} number of {{name}} that needs a person',
      })}
      renderRoot={(props) => <Link to="/operator/numbers" search={{ account_id, standing: 'needs_person' }} {...props} />}
    >
      {shownCount(needs_person)}
    </Anchor>
  );
}

function AccountName({ account: { account_id, name, operator } }: { readonly account: ListedAccount }) {
  return (
    <>
      <AccountLink id={account_id}>{name}</AccountLink>
      {operator && (
        <Text size="xs" c="dimmed" span>
          {' '}
          {t("Operator's own")}
        </Text>
      )}
    </>
  );
}
