import { Group } from '@mantine/core';
import { linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { NumberView } from '../../../../src/portal/wire/operator.ts';
import type { Instance } from '../../api/contract.ts';
import { accountKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Listed } from '../../parts/list/listed.tsx';
import { type ListSearch, useList } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NameLink } from '../../parts/name-link.tsx';
import { NumberActions } from '../../parts/number-actions.tsx';
import { NumberFilters } from '../../parts/number-filters.tsx';
import { nameOf, networkName } from '../../parts/number-words.ts';
import { shownNumber } from '../../parts/phone-number.ts';
import { RecordTable } from '../../parts/record-table.tsx';
import { StandingBadge } from '../../parts/status-badge.tsx';
import { useAccountId } from '../../session/session.ts';
import { NumberMenu } from './number-menu.tsx';
import { MainAction } from './number-row.tsx';
import type { Question } from './use-number-dialogs.ts';

const path = '/portal/api/numbers';

/** The orders of the list, in words. */
const orders = () => [
  { value: '-created', label: t('Newest first') },
  { value: 'created', label: t('Oldest first') },
  { value: 'label', label: t('By name') },
  { value: 'number', label: t('By number') },
];

interface NumberPagesProps {
  readonly search: ListSearch;
  /** Shown when the last one is gone. */
  readonly none: ReactNode;
  /** Nothing can be done with them. */
  readonly readOnly: boolean;
  onLink(id: string): void;
  onAsk(question: Question, number: Instance): void;
}

/** The numbers of an account that has many, a page at a time. */
export function NumberPages({ search, none, readOnly, onLink, onAsk }: NumberPagesProps) {
  const account = useAccountId();
  const list = useList({ queryKey: accountKey(account, 'numbers'), path, search, account });
  const { order, choice } = list;
  return (
    <>
      <NumberFilters list={list} placeholder={t('Find by name, digits or ID')} />
      <Listed
        list={list}
        loading={<ListLoading label={t('Loading the numbers')} />}
        count={(count) => t('{{count}} numbers', { count, defaultValue_one: '{{count}} number' })}
        orders={orders()}
        none={none}
        nothingFits={t('No numbers match.')}
        actions={readOnly ? undefined : (ids, onDone) => <NumberActions path={path} ids={ids} account={account} onDone={onDone} />}
      >
        {(numbers) => (
          <RecordTable
            label={t('Numbers')}
            rows={numbers}
            keyOf={({ instance_id }) => instance_id}
            order={order}
            {...(readOnly ? {} : { choice: { ...choice, nameOf } })}
            columns={[
              { label: t('State'), cell: (number) => <StandingBadge number={number} /> },
              { label: t('Name'), name: true, long: true, sort: 'label', cell: (number) => <NumberName number={number} /> },
              { label: t('Number'), sort: 'number', cell: ({ phone_number }) => shownNumber(phone_number) ?? '–' },
              { label: t('Network'), cell: ({ network }) => networkName(network) },
              { label: t('Added'), sort: 'created', cell: ({ created_at }) => <Moment at={created_at} day size="sm" /> },
            ]}
            {...(readOnly
              ? {}
              : { actions: (number: NumberView) => <Actions number={asInstance(number)} onLink={onLink} onAsk={onAsk} /> })}
          />
        )}
      </Listed>
    </>
  );
}

function NumberName({ number }: { readonly number: NumberView }) {
  const link = linkOptions({ to: '/numbers/$instanceId', params: { instanceId: number.instance_id } });
  return <NameLink link={link}>{nameOf(number)}</NameLink>;
}

function Actions({ number, onLink, onAsk }: { readonly number: Instance } & Pick<NumberPagesProps, 'onLink' | 'onAsk'>) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <MainAction number={number} onLink={onLink} />
      <NumberMenu number={number} onLink={() => onLink(number.instance_id)} onAsk={onAsk} />
    </Group>
  );
}

/** As the API lists it. */
function asInstance({ restriction, ...number }: NumberView): Instance {
  return { ...number, connected: number.status === 'open', ...(restriction === null ? {} : { restriction }) };
}
