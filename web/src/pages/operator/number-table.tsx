import { Anchor, Group, Menu, Text, ThemeIcon, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconRoute, IconRouteOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { NumberView } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { Moment } from '../../parts/moment.tsx';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { nameOf, networkName, newChatsText, restrictionText } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { type Column, RecordTable } from '../../parts/record-table.tsx';
import { StandingBadge } from '../../parts/status-badge.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import type { Choice } from '../../parts/use-row-choice.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { ProxyDialog, RemoveProxyDialog } from './proxy-dialogs.tsx';

type Question = { readonly number: NumberView; readonly what: 'set' | 'remove' };

interface NumberTableProps {
  readonly numbers: readonly NumberView[];
  /** They belong to several accounts. */
  readonly accounts?: boolean;
  readonly order?: { readonly sort: string; onSort(sort: string): void };
  readonly choice?: Choice;
}

/** Numbers with their state, and for operators what can be set. */
export function NumberTable({ numbers, accounts = false, order, choice }: NumberTableProps) {
  const { operator } = rolesOf(useSession());
  const { about: asked, opened, ask, close } = useQuestion<Question>();
  const account: Column<NumberView> = {
    label: t('Account'),
    long: true,
    sort: 'account',
    cell: ({ account_id, account_name }) => <AccountLink id={account_id}>{account_name}</AccountLink>,
  };
  return (
    <>
      <RecordTable
        label={t('Numbers')}
        rows={numbers}
        keyOf={({ instance_id }) => instance_id}
        {...(order === undefined ? {} : { order })}
        {...(choice === undefined ? {} : { choice: { ...choice, nameOf } })}
        columns={[
          { label: t('State'), cell: (number) => <NumberState number={number} /> },
          { label: t('Name'), name: true, long: true, sort: 'label', cell: (number) => <NumberName number={number} /> },
          { label: t('Number'), sort: 'number', cell: ({ phone_number }) => shownNumber(phone_number) ?? '–' },
          ...(accounts ? [account] : []),
          { label: t('Network'), long: true, cell: (number) => <NumberNetwork number={number} /> },
          { label: t('Added'), sort: 'created', cell: ({ created_at }) => <Moment at={created_at} day size="sm" /> },
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
            {number.proxy === null ? t('Set a proxy') : t('Change the proxy')}
          </Menu.Item>
          {number.proxy !== null && (
            <Menu.Item leftSection={<IconRouteOff size={16} aria-hidden />} onClick={asking(() => onAsk('remove'))}>
              {t('Remove the proxy')}
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
        <Text size="xs" c="dimmed" maw={150} truncate title={proxy}>
          {t('through {{proxy}}', { proxy })}
        </Text>
      )}
    </>
  );
}

function NumberName({ number }: { readonly number: NumberView }) {
  const { instance_id } = number;
  return (
    <Anchor
      size="sm"
      fw={600}
      renderRoot={(props) => <Link to="/operator/numbers/$instanceId" params={{ instanceId: instance_id }} {...props} />}
    >
      {nameOf(number)}
    </Anchor>
  );
}

function NumberState({ number }: { readonly number: NumberView }) {
  const { restriction, new_chats } = number;
  const restricted = restriction === null ? newChatsText({ new_chats }) : restrictionText({ restriction });
  return (
    <Group gap={8} wrap="nowrap">
      <StandingBadge number={number} />
      {restricted !== null && (
        // A sign alone: the words would make the table wider than a usual screen.
        <Tooltip label={restricted} multiline w={320} portalProps={{ target: '#page' }}>
          <ThemeIcon variant="light" color="orange" size={22} radius="xl" role="img" aria-label={restricted} tabIndex={0}>
            <IconAlertTriangle size={14} aria-hidden />
          </ThemeIcon>
        </Tooltip>
      )}
    </Group>
  );
}
