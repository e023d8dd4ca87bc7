import type { ReactNode } from 'react';
import { t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { NothingFits } from '../nothing-fits.tsx';
import { ChoiceBar } from './choice-bar.tsx';
import { lackOf } from './lack.ts';
import { ListPager } from './list-pager.tsx';
import { ListTools } from './list-tools.tsx';
import type { List } from './use-list.ts';

export interface ListedProps<Row> {
  readonly list: List<Row>;
  /** The placeholder until the first answer. */
  readonly loading: ReactNode;
  /** How many there are, in words: "20,000 numbers". */
  readonly count?: (total: number) => string;
  /** The orders of the list, in words. */
  readonly orders?: readonly { readonly value: string; readonly label: string }[];
  /** Shown while there is nothing at all; absent where there always is something. */
  readonly none?: ReactNode;
  /** Said when a filter leaves nothing. */
  readonly nothingFits: string;
  /** What can be done with the chosen ones. */
  readonly actions?: ((ids: readonly string[], onDone: (left: readonly string[]) => void) => ReactNode) | undefined;
  /** The table of a page. */
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A page of a list, with everything around the table. */
export function Listed<Row>({ list, loading, count, orders, none, nothingFits, actions, children }: ListedProps<Row>) {
  const { path, search, account, query, narrowed, order, choice, page } = list;
  return (
    <Answered query={query} loading={loading} onlyWhenNew>
      {(found) => {
        const lack = lackOf(found, narrowed);
        const some = lack === null || lack === 'on_page';
        return (
          <>
            {some && (
              <ListTools
                count={count?.(found.total ?? 0) ?? ''}
                path={path}
                search={search}
                {...(orders === undefined ? {} : { orders: { value: order.sort, sorts: orders, onSort: order.onSort } })}
              />
            )}
            {actions !== undefined && (
              <ChoiceBar choice={choice} path={path} search={search} total={found.total} account={account}>
                {actions([...choice.chosen], (left) => choice.onChoose(new Set(left)))}
              </ChoiceBar>
            )}
            {/* Its dialogs outlive the last row: they may show what is shown only once. */}
            <div hidden={lack !== null}>{children(found.rows)}</div>
            {lack === 'on_page' && <NothingFits>{t('Nothing is left on this page.')}</NothingFits>}
            {!some && (lack === 'fitting' || none === undefined ? <NothingFits>{nothingFits}</NothingFits> : none)}
            {some && <ListPager page={found} onPage={page} />}
          </>
        );
      }}
    </Answered>
  );
}
