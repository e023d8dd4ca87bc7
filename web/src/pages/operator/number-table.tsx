import { Menu } from '@mantine/core';
import { IconRoute, IconRouteOff } from '@tabler/icons-react';
import { linkOptions } from '@tanstack/react-router';
import type { NumberView } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { AccountLink } from '../../parts/account-link.tsx';
import { MoreMenu } from '../../parts/more-menu.tsx';
import { NameLink } from '../../parts/name-link.tsx';
import { nameOf, networkName, newChatsText, reasonText } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { type Column, RecordTable } from '../../parts/record-table.tsx';
import { shownMoment } from '../../parts/shown-moment.ts';
import { SmallLine } from '../../parts/small-line.tsx';
import { StandingBadge } from '../../parts/status-badge.tsx';
import { Ago } from '../../parts/time/ago.tsx';
import { useQuestion } from '../../parts/use-question.ts';
import type { Choice } from '../../parts/use-row-choice.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import classes from './number-table.module.css';
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
          { label: t('State'), cell: (number) => <StandingBadge number={number} /> },
          { label: t('Reason'), cell: (number) => <NumberReasonText number={number} /> },
          { label: t('Since'), sort: 'since', cell: ({ since }) => <Ago at={since} size="sm" /> },
          { label: t('Name'), name: true, long: true, sort: 'label', cell: (number) => <NumberName number={number} /> },
          ...(accounts ? [account] : []),
          { label: t('Last send'), cell: ({ last_sent_at }) => <Ago at={last_sent_at} size="sm" /> },
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

/** Its name, and below it its digits and what it connects through. */
function NumberName({ number }: { readonly number: NumberView }) {
  const { instance_id, phone_number, network, proxy } = number;
  const through = proxy === null ? networkName(network) : t('{{network}} through {{proxy}}', { network: networkName(network), proxy });
  const more = phone_number === null ? through : `${shownNumber(phone_number)} · ${through}`;
  return (
    <>
      <NameLink link={linkOptions({ to: '/operator/numbers/$instanceId', params: { instanceId: instance_id } })}>{nameOf(number)}</NameLink>
      <SmallLine title={more}>{more}</SmallLine>
    </>
  );
}

/** Why it cannot send, or not as usual, and until when. */
function NumberReasonText({ number: { reason, restriction, new_chats } }: { readonly number: NumberView }) {
  return (
    <div className={classes.reason}>
      {reason === null ? (newChatsText({ new_chats }) ?? '–') : reasonText(reason)}
      {restriction?.until != null && <span className={classes.until}>{t('Until {{when}}', { when: shownMoment(restriction.until) })}</span>}
    </div>
  );
}
