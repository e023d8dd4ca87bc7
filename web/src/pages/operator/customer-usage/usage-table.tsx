import { Paper, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { CustomerUsage } from '../../../../../src/portal/wire/customers.ts';
import { listed, shownCount, t } from '../../../language/language.ts';
import { AccountLink } from '../../../parts/account-link.tsx';
import { kindName } from '../../../parts/kind.tsx';
import type { CustomerUsageSearch, UsageOrder } from './query.ts';
import classes from './usage-table.module.css';

const columns: readonly { readonly order: UsageOrder; readonly label: string; readonly end: boolean }[] = [
  { order: 'name', label: t('Account'), end: false },
  { order: 'plan', label: t('Plan'), end: false },
  { order: 'sends', label: t('Messages'), end: true },
  { order: 'number_days', label: t('Number-days'), end: true },
  { order: 'numbers', label: t('Numbers now'), end: true },
];

interface UsageTableProps {
  readonly accounts: readonly CustomerUsage[];
  readonly search: CustomerUsageSearch;
  onChange(next: CustomerUsageSearch): void;
}

/** The accounts of a page; a head that is pressed puts them in its order, figures with the largest first. */
export function UsageTable({ accounts, search: { order = 'name', descending: falling }, onChange }: UsageTableProps) {
  const descending = falling === true;
  return (
    <Paper withBorder radius="lg" py={4}>
      <Table.ScrollContainer minWidth={720} type="native" tabIndex={0} role="group" aria-label={t('Usage of accounts')}>
        <Table aria-label={t('Usage of accounts')} horizontalSpacing="md" verticalSpacing={8} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => {
                const here = column.order === order;
                return (
                  <Table.Th
                    key={column.order}
                    scope="col"
                    ta={column.end ? 'right' : 'left'}
                    aria-sort={here ? (descending ? 'descending' : 'ascending') : 'none'}
                  >
                    <UnstyledButton
                      className={classes.sort}
                      onClick={() => onChange({ order: column.order, descending: here ? !descending : column.end })}
                    >
                      {column.label}
                      <Direction here={here} descending={descending} />
                    </UnstyledButton>
                  </Table.Th>
                );
              })}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.map((account) => (
              <Row key={account.account_id} account={account} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Direction({ here, descending }: { readonly here: boolean; readonly descending: boolean }) {
  const Icon = here ? (descending ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return <Icon size={14} aria-hidden />;
}

function Row({ account }: { readonly account: CustomerUsage }) {
  const { account_id, name, reference, plan_name, messages_per_minute, sends, by_type, number_days, numbers, instance_limit } = account;
  const kinds = Object.entries(by_type).toSorted(([, one], [, other]) => other - one);
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        <AccountLink id={account_id}>{name}</AccountLink>
        {reference !== null && (
          <Text size="xs" c="dimmed">
            {reference}
          </Text>
        )}
      </Table.Th>
      <Table.Td>
        <Text size="sm">{plan_name ?? '–'}</Text>
        {messages_per_minute !== null && (
          <Text size="xs" c="dimmed">
            {t('{{rate}} messages a minute', { rate: messages_per_minute })}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        {shownCount(sends)}
        <Trial account={account} />
        {kinds.length > 0 && (
          <Text size="xs" c="dimmed">
            {listed(kinds.map(([type, n]) => `${kindName(type)} ${shownCount(n)}`))}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{shownCount(number_days)}</Table.Td>
      <Table.Td ta="right">
        <Text size="sm" component="span" {...(numbers > instance_limit ? { c: 'red' } : {})}>
          {t('{{used}} of {{most}}', { used: numbers, most: instance_limit })}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** What is used of a trial, in all its time. */
function Trial({ account: { trial_message_limit: most, trial_used } }: { readonly account: CustomerUsage }) {
  if (most === null) return null;
  return (
    <Text size="xs" c={trial_used >= most ? 'red' : 'dimmed'}>
      {t('{{used}} of {{most}} of the trial', { used: trial_used, most })}
    </Text>
  );
}
