import { Anchor, Menu, Text } from '@mantine/core';
import { IconRoute, IconRouteOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { NumberView } from '../../../../src/portal/wire/index.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { nameOf, networkName, newChatsText, restrictionText } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { type Column, RecordTable } from '../../parts/record-table.tsx';
import { StandingBadge } from '../../parts/status-badge.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { ProxyDialog, RemoveProxyDialog } from './proxy-dialogs.tsx';

type Question = { readonly number: NumberView; readonly what: 'set' | 'remove' };

/** Numbers with their state, and for operators what can be set; `accounts` where they belong to several. */
export function NumberTable({ numbers, accounts = false }: { readonly numbers: readonly NumberView[]; readonly accounts?: boolean }) {
  const { operator } = rolesOf(useSession());
  const { about: asked, opened, ask, close } = useQuestion<Question>();
  const account: Column<NumberView> = {
    label: 'Account',
    long: true,
    cell: ({ account_id, account_name }) => <AccountLink id={account_id}>{account_name}</AccountLink>,
  };
  return (
    <>
      <RecordTable
        label="Numbers"
        rows={numbers}
        keyOf={({ instance_id }) => instance_id}
        columns={[
          { label: 'Number', cell: (number) => <NumberName number={number} /> },
          { label: 'State', cell: (number) => <NumberState number={number} /> },
          { label: 'Network', long: true, cell: (number) => <NumberNetwork number={number} /> },
          ...(accounts ? [account] : []),
          { label: 'Added', cell: ({ created_at }) => <Moment at={created_at} day size="sm" /> },
        ]}
        {...(operator ? { actions: (number: NumberView) => <NumberMenu number={number} onAsk={(what) => ask({ number, what })} /> } : {})}
      />
      {asked !== null && (
        <>
          <ProxyDialog key={asked.number.instance_id} opened={opened && asked.what === 'set'} number={asked.number} onClose={close} />
          <RemoveProxyDialog opened={opened && asked.what === 'remove'} number={asked.number} onClose={close} />
        </>
      )}
    </>
  );
}

interface NumberMenuProps {
  readonly number: NumberView;
  onAsk(what: Question['what']): void;
}

function NumberMenu({ number, onAsk }: NumberMenuProps) {
  return (
    <MoreMenu name={nameOf(number)} width={200}>
      {(asking) => (
        <>
          <Menu.Item leftSection={<IconRoute size={16} aria-hidden />} onClick={asking(() => onAsk('set'))}>
            {number.proxy === null ? 'Set a proxy' : 'Change the proxy'}
          </Menu.Item>
          {number.proxy !== null && (
            <Menu.Item leftSection={<IconRouteOff size={16} aria-hidden />} onClick={asking(() => onAsk('remove'))}>
              Remove the proxy
            </Menu.Item>
          )}
        </>
      )}
    </MoreMenu>
  );
}

function NumberNetwork({ number: { network, proxy } }: { readonly number: NumberView }) {
  return (
    <>
      {networkName(network)}
      {proxy !== null && (
        <Text size="xs" c="dimmed" maw={220} style={{ overflowWrap: 'anywhere' }}>
          through {proxy}
        </Text>
      )}
    </>
  );
}

function NumberName({ number }: { readonly number: NumberView }) {
  const { instance_id, label, phone_number } = number;
  return (
    <>
      <Anchor
        size="sm"
        fw={600}
        renderRoot={(props) => <Link to="/operator/numbers/$instanceId" params={{ instanceId: instance_id }} {...props} />}
      >
        {nameOf(number)}
      </Anchor>
      {label !== null && phone_number !== null && (
        <Text size="xs" c="dimmed">
          {shownNumber(phone_number)}
        </Text>
      )}
    </>
  );
}

function NumberState({ number }: { readonly number: NumberView }) {
  const { restriction, new_chats } = number;
  const restricted = restriction === null ? newChatsText({ new_chats }) : restrictionText({ restriction });
  return (
    <>
      <StandingBadge number={number} />
      {restricted !== null && (
        <Text size="xs" mt={4} maw={280}>
          {restricted}
        </Text>
      )}
    </>
  );
}
