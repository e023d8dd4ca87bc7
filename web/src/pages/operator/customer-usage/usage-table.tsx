import { Text } from '@mantine/core';
import type { CustomerUsage } from '../../../../../src/portal/wire/customers.ts';
import { listed, shownCount, t } from '../../../language/language.ts';
import { UsedOfAllowed } from '../../../parts/account/used-of-allowed.tsx';
import { AccountLink } from '../../../parts/account-link.tsx';
import { kindName } from '../../../parts/kind.tsx';
import { RecordTable } from '../../../parts/record-table.tsx';
import { SmallLine } from '../../../parts/small-line.tsx';

/** The orders of the list, in words. */
export const usageOrders = () => [
  { value: 'name', label: t('By name') },
  { value: 'plan', label: t('By plan') },
  { value: '-sends', label: t('Most messages first') },
  { value: '-number_days', label: t('Most number-days first') },
  { value: '-numbers', label: t('Most numbers first') },
];

interface UsageTableProps {
  readonly accounts: readonly CustomerUsage[];
  readonly order: { readonly sort: string; onSort(sort: string): void };
}

/** The accounts of a page. */
export function UsageTable({ accounts, order }: UsageTableProps) {
  return (
    <RecordTable
      label={t('Usage of accounts')}
      rows={accounts}
      keyOf={({ account_id }) => account_id}
      order={order}
      columns={[
        { label: t('Account'), long: true, sort: 'name', cell: (account) => <Name account={account} /> },
        { label: t('Plan'), long: true, sort: 'plan', cell: (account) => <Plan account={account} /> },
        { label: t('Messages'), end: true, sort: 'sends', cell: (account) => <Messages account={account} /> },
        { label: t('Number-days'), end: true, sort: 'number_days', cell: ({ number_days }) => shownCount(number_days) },
        {
          label: t('Numbers now'),
          end: true,
          sort: 'numbers',
          cell: ({ numbers, instance_limit }) => <UsedOfAllowed used={numbers} allowed={instance_limit} />,
        },
      ]}
    />
  );
}

interface Of {
  readonly account: CustomerUsage;
}

function Name({ account: { account_id, name, reference } }: Of) {
  return (
    <>
      <AccountLink id={account_id}>{name}</AccountLink>
      {reference !== null && <SmallLine>{reference}</SmallLine>}
    </>
  );
}

function Plan({ account: { plan_name, messages_per_minute } }: Of) {
  return (
    <>
      {plan_name ?? '–'}
      {messages_per_minute !== null && (
        <SmallLine>
          {t('{{count}} messages per minute', { count: messages_per_minute, defaultValue_one: '{{count}} message per minute' })}
        </SmallLine>
      )}
    </>
  );
}

/** How many, how much that is of a trial in all its time, and of which kinds. */
function Messages({ account: { sends, by_type, trial_message_limit: most, trial_used } }: Of) {
  const kinds = Object.entries(by_type).toSorted(([, one], [, other]) => other - one);
  return (
    <>
      {shownCount(sends)}
      {most !== null && (
        <Text size="xs" c={trial_used >= most ? 'red' : 'dimmed'}>
          {t('{{used}} of {{most}} of the trial', { used: trial_used, most })}
        </Text>
      )}
      {kinds.length > 0 && (
        <div>
          <Text size="xs" c="dimmed" maw={240} display="inline-block">
            {listed(kinds.map(([type, n]) => `${kindName(type)}\u00a0${shownCount(n)}`))}
          </Text>
        </div>
      )}
    </>
  );
}
