import { Text } from '@mantine/core';
import type { NumberView } from '../../../../src/portal/wire/index.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { nameOf, networkName, newChatsText, restrictionText } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { type Column, RecordTable } from '../../parts/record-table.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';

/** Numbers with their state; `accounts` where they belong to several. */
export function NumberTable({ numbers, accounts = false }: { readonly numbers: readonly NumberView[]; readonly accounts?: boolean }) {
  const account: Column<NumberView> = {
    label: 'Account',
    long: true,
    cell: ({ account_id, account_name }) => <AccountLink id={account_id}>{account_name}</AccountLink>,
  };
  return (
    <RecordTable
      label="Numbers"
      rows={numbers}
      keyOf={({ instance_id }) => instance_id}
      columns={[
        { label: 'Number', cell: (number) => <NumberName number={number} /> },
        { label: 'State', cell: (number) => <NumberState number={number} /> },
        { label: 'Network', cell: ({ network }) => networkName(network) },
        ...(accounts ? [account] : []),
        { label: 'Added', cell: ({ created_at }) => <Moment at={created_at} day size="sm" /> },
      ]}
    />
  );
}

function NumberName({ number }: { readonly number: NumberView }) {
  const { label, phone_number } = number;
  return (
    <>
      <Text size="sm" fw={600}>
        {nameOf(number)}
      </Text>
      {(label !== null || phone_number === null) && (
        <Text size="xs" c="dimmed">
          {shownNumber(phone_number) ?? 'never linked'}
        </Text>
      )}
    </>
  );
}

function NumberState({ number: { status, restriction, new_chats } }: { readonly number: NumberView }) {
  const restricted = restriction === null ? newChatsText({ new_chats }) : restrictionText({ restriction });
  return (
    <>
      <StatusBadge status={status} />
      {restricted !== null && (
        <Text size="xs" mt={4} maw={280}>
          {restricted}
        </Text>
      )}
    </>
  );
}
