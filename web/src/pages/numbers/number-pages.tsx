import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { NumberView } from '../../../../src/portal/wire/index.ts';
import { accountKey, type Instance } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { ChoiceBar } from '../../parts/list/choice-bar.tsx';
import { ListPager } from '../../parts/list/list-pager.tsx';
import { ListTools } from '../../parts/list/list-tools.tsx';
import { type ListSearch, listQuery, useChosen, useListAddress } from '../../parts/list/use-list.ts';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { NothingFits } from '../../parts/nothing-fits.tsx';
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
  /** Nothing can be done with them. */
  readonly readOnly: boolean;
  onLink(id: string): void;
  onAsk(question: Question, number: Instance): void;
}

/** The numbers of an account that has many, a page at a time. */
export function NumberPages({ search, readOnly, onLink, onAsk }: NumberPagesProps) {
  const accountId = useAccountId();
  const { narrow, page } = useListAddress(search);
  const numbers = useQuery(listQuery<NumberView>(accountKey(accountId, 'numbers'), path, search, accountId));
  const choice = useChosen(search);
  const order = { sort: search.sort ?? '-created', onSort: (sort: string) => narrow({ sort }) };
  return (
    <>
      <NumberFilters search={search} placeholder={t('Find by name, digits or ID')} onNarrow={narrow} />
      <Answered query={numbers} loading={<ListLoading label={t('Loading the numbers')} />}>
        {(found) =>
          found.rows.length === 0 ? (
            <NothingFits>{t('No numbers match.')}</NothingFits>
          ) : (
            <>
              <ListTools
                count={t('{{count}} numbers', { count: found.total ?? 0, defaultValue_one: '{{count}} number' })}
                path={path}
                search={search}
                orders={{ value: order.sort, sorts: orders(), onSort: order.onSort }}
              />
              {!readOnly && (
                <ChoiceBar choice={choice} path={path} search={search} total={found.total} account={accountId}>
                  <NumberActions path="/portal/api/numbers/bulk" ids={[...choice.chosen]} account={accountId} onDone={choice.clear} />
                </ChoiceBar>
              )}
              <RecordTable
                label={t('Numbers')}
                rows={found.rows}
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
              <ListPager page={found} onPage={page} />
            </>
          )
        }
      </Answered>
    </>
  );
}

function NumberName({ number }: { readonly number: NumberView }) {
  return (
    <Anchor
      size="sm"
      fw={600}
      renderRoot={(props) => <Link to="/numbers/$instanceId" params={{ instanceId: number.instance_id }} {...props} />}
    >
      {nameOf(number)}
    </Anchor>
  );
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
